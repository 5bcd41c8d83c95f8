import { stripVTControlCharacters } from "node:util";

/** The characters of Japanese and Chinese that take two columns, with their punctuation. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]/gu;

/** Returns how many columns a text of ours takes on a terminal. */
export function displayWidth(text: string): number {
  const plain = stripVTControlCharacters(text);
  return plain.length + (plain.match(wide)?.length ?? 0);
}

/** Adds blanks until the text takes `width` columns: after it, or before it. */
export function padded(text: string, width: number, where: "start" | "end" = "end"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return where === "end" ? text + blanks : blanks + text;
}

/** Returns how long the beginning of a text is that takes at most `width` columns, in units of a string. */
export function fitting(text: string, width: number): number {
  let end = 0;
  let room = width;
  for (const character of text) {
    room -= displayWidth(character);
    if (room < 0) break;
    end += character.length;
  }
  return end;
}
