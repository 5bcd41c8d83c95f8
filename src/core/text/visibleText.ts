import { shownCode } from "./shownCode.js";

/**
 * Makes everything in a text visible: control, formatting and other invisible characters, which can
 * make a preview say something else than what would happen, become `⟨U+202E⟩` and the like; padding
 * that pushes the rest out of sight becomes `⟨900 spaces⟩` and the like. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, shownCode).replace(padding, (blanks) => {
    const lines = blanks.split("\n").length - 1;
    return lines > 0 ? `\n⟨${lines} empty lines⟩\n` : `⟨${blanks.length} spaces⟩`;
  });
}

/**
 * Characters that are drawn as nothing or as a space, or that move their neighbors; lone
 * surrogates.
 */
const unseen =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/** Matches more blanks than any indentation needs, and more empty lines than any text needs. */
const padding = /(?<![ \t])[ \t]{100,}|(?:(?<![ \t])|(?=\n)(?<=[ \t]{100}))(?:[ \t]*\n){12,}/g;

/** Returns the visible text on one line, cut to `length` characters. */
export function visibleLine(text: string, length = 80): string {
  const line = visibleText(text.trim())
    .replace(/(?<!\s)\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
