import { readableWriting } from "../../core/text/readableWriting.js";
import { shownCode } from "../../core/text/shownCode.js";
import { isWords, spoken } from "../../core/text/words.js";
import { displayWidth, fitting } from "../language/displayWidth.js";

/** Control characters except for tab and newline; they could move the terminal's cursor. */
const controls = /(?![\t\n])\p{Cc}/gu;

/**
 * Makes text from elsewhere (a model, a file, a command) safe to print: no escape sequence in it reaches
 * the terminal, and nothing hides in it. Replaced characters stay visible, as in `␛[2J` and `⟨U+200B⟩`.
 */
export function terminalText(text: string): string {
  const plain = text.replaceAll("\r\n", "\n").replace(controls, (character) => {
    const code = character.charCodeAt(0);
    if (code === 0x7f) return "␡";
    // Unicode has a picture of each control character of ASCII.
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : shownCode(character);
  });
  return readableWriting(plain);
}

/** Returns the text as one line that is safe to print, cut to `columns` of a terminal. */
export function terminalLine(text: string, columns: number): string {
  const line = terminalText(text.trim()).replace(/(?<!\s)\s*[\n\t]\s*/g, " ");
  return displayWidth(line) <= columns ? line : `${line.slice(0, fitting(line, columns - 1))}…`;
}

/** Returns the value as JSON that has no character that a terminal would act on, or that is not seen. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(
    value,
    (_, one: unknown) => (isWords(one) ? spoken(one) : one),
    indent,
  ).replace(
    /[\u007f-\u009f\u2028-\u202e\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, at) => {
        return `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`;
      }).join(""),
  );
}

/** Indents every line by the string `by`; empty lines stay empty. */
export function indented(text: string, by = "  "): string {
  return text.replace(/^(?=.)/gm, by);
}
