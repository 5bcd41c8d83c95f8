import { jsonValueEnd } from "../jsonValueEnd.js";
import { parseLooseJson } from "../looseJson.js";
import { recordOf } from "../recordOf.js";

/** The most places at which no object can be read that are tried in one text. */
const placesTried = 50;

/**
 * Returns the objects that are meant by a list, one object, or a text that holds them: as a list, one after the other, over
 * several lines each, in a fence, with line breaks written out as `\n`, or escaped once more as a whole. What is no object
 * stays as text, so that it can be named. Anything else is returned as it is.
 */
export function meantObjects(value: unknown): unknown {
  if (Array.isArray(value)) {
    const list = value.flatMap((one): unknown => {
      if (typeof one !== "string") return [one];
      const found = objectsIn(one);
      return found.every((part) => typeof part === "object") ? found : [one];
    });
    return list.length === value.length && list.every((one, index) => one === value[index])
      ? value
      : list;
  }
  if (typeof value === "string") return objectsIn(value);
  return recordOf(value) === undefined ? value : [value];
}

/** Returns the objects of a text in order, with what is between them and no separator as texts. */
function objectsIn(given: string): unknown[] {
  const text = withoutFence(isEscaped(given) ? unescaped(given) : given);
  const whole = parseLooseJson(text);
  if (whole.ok && typeof whole.value === "string") return objectsIn(whole.value);
  if (whole.ok && Array.isArray(whole.value)) {
    return (whole.value as unknown[]).flatMap((one) => meantObjects([one]) as unknown[]);
  }
  const found: unknown[] = [];
  const addText = (between: string): void => {
    for (const line of between.split(/\r?\n|\\r?\\n|\\n/)) {
      const words = line.replace(/^[\s,;[\]]+|(?<![\s,;[\]])[\s,;[\]]+$/g, "");
      const isIntroduction = found.length === 0 && /[:：]$/.test(words);
      const isMark = /^(?:[-*]|\d+[.)]|```\w*)?$/.test(words);
      if (/[\p{L}\p{N}{}]/u.test(words) && !isMark && !isIntroduction) found.push(words);
    }
  };
  let from = 0;
  let tried = 0;
  for (let at = text.indexOf("{"); at >= 0 && tried < placesTried;) {
    const end = jsonValueEnd(text, at);
    const json = end === undefined ? undefined : objectAt(text.slice(at, end));
    if (end === undefined || json === undefined) {
      tried++;
      // An object inside of one that cannot be read is not the object that is meant.
      const next = end ?? text.indexOf("\n", at);
      at = next < 0 ? -1 : text.indexOf("{", next);
      continue;
    }
    addText(text.slice(from, at));
    found.push(json);
    from = end;
    at = text.indexOf("{", end);
  }
  addText(text.slice(from));
  return found;
}

function objectAt(text: string): object | undefined {
  const json = parseLooseJson(text);
  const value = json.ok ? json : parseLooseJson(withPlainBreaks(text));
  return value.ok ? recordOf(value.value) : undefined;
}

/** Returns JSON with blanks in place of the `\n`, `\r` and `\t` that stand written out between its parts. */
function withPlainBreaks(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[^])*"|\\[nrt]/g, (part) =>
    part.startsWith('"') ? part : " ",
  );
}

/** Returns whether a text is JSON that was escaped as a whole, as in `{\"goal\": …}`: its first quote is escaped. */
function isEscaped(text: string): boolean {
  const quote = text.indexOf('"');
  return quote > 0 && text.charAt(quote - 1) === "\\";
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.replace(/\\([nrt"\\/])/g, (_, escape: string) => escapes[escape] ?? escape);
}

/** Returns what is in a fence that holds the whole text. */
function withoutFence(given: string): string {
  const text = given.trim();
  const begin = text.indexOf("\n");
  const isFenced = /^```\w*\s/.test(text) && text.length > begin + 3 && text.endsWith("```");
  return isFenced && begin > 0 ? text.slice(begin, -3) : given;
}
