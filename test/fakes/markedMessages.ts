import { type Messages, type Translate, translator } from "../../src/core/text/translator.js";

/** A placeholder with its format; the forms of a plural are words. */
const placeholder = /\{\w+(?:, (?:[^{}]|\{[^{}]*\})*)?\}/g;

/**
 * Returns a message in a language that nobody speaks: its letters are wide ones, and what stands in its place holders is
 * left. A letter of ASCII in what is shown is then of a value, or of a text that nobody has translated.
 */
function marked(message: string): string {
  let at = 0;
  let text = "";
  for (const found of message.matchAll(placeholder)) {
    const formats = found[0].replaceAll(/ \{([^{}]*)\}/g, (_, form: string) => ` {${wide(form)}}`);
    text += wide(message.slice(at, found.index)) + formats;
    at = found.index + found[0].length;
  }
  return text + wide(message.slice(at));
}

function wide(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) - 0x21 + 0xff01),
  );
}

/** Returns the translations of messages into the language of {@link marked}. */
export function markedMessages(messages: Iterable<string>): Messages {
  return Object.fromEntries([...messages].map((message) => [message, marked(message)]));
}

/** Returns a message in the language of {@link marked}; also one that has no translation elsewhere. */
export const inMarks = ((message: string, ...values: [never]) =>
  translator("en", { [message]: marked(message) })(message, ...values)) as Translate;

/**
 * Returns the words in what is shown that are not of the language of {@link marked}.
 *
 * @param data what may be there: names, paths, commands, and what a person or a model wrote
 */
export function unmarked(shown: string, data: readonly (string | RegExp)[] = []): string[] {
  const longestFirst = data.toSorted((a, b) => String(b).length - String(a).length);
  const rest = longestFirst.reduce<string>(
    (text, one) => text.replaceAll(globally(one), " "),
    shown,
  );
  return rest.match(/[A-Za-z]{2,}(?:[ '’-][A-Za-z]+)*/g) ?? [];
}

function globally(one: string | RegExp): string | RegExp {
  return typeof one === "string" ? one : new RegExp(one.source, `${one.flags.replace("g", "")}g`);
}
