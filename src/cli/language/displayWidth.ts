import { stripVTControlCharacters } from "node:util";

/** The characters of Japanese and Chinese that take two columns, with their punctuation. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/gu;

/** Returns how many columns a text of ours takes on a terminal. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  return plain.length + (plain.match(wide)?.length ?? 0);
}

/** Adds blanks to the text until it takes `width` columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
