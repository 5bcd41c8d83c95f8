import { stripVTControlCharacters } from "node:util";
import { eastAsianWidth } from "get-east-asian-width";

/** Returns how many columns a text takes on a terminal: two for each wide character of Japanese or Chinese. */
export function displayWidth(text: string): number {
  return Array.from(stripVTControlCharacters(text)).reduce(
    (width, character) => width + eastAsianWidth(character.codePointAt(0) ?? 0),
    0,
  );
}

/** Adds blanks to the text until it takes `width` columns. */
export function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
