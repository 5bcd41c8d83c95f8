/**
 * With nothing hidden in it: control, formatting and other invisible characters, which can make a
 * preview say something else than what would happen, as in `⟨U+202E⟩`, and what pushes the rest out of
 * sight, as in `⟨900 spaces⟩`. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replace(unseen, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `⟨U+${code.padStart(4, "0")}⟩`;
    })
    .replace(padding, (blanks) => {
      const lines = blanks.split("\n").length - 1;
      return lines > 0 ? `\n⟨${lines} empty lines⟩\n` : `⟨${blanks.length} spaces⟩`;
    });
}

/** What is drawn as nothing, or as a space, or moves its neighbours; lone halves of characters. */
const unseen =
  /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800]/gu;

/** More than any indentation needs, and more empty lines than anyone leaves. */
const padding = /[ \t]{100,}|(?:[ \t]*\n){12,}/g;

/** On one line, cut to `length` characters. */
export function visibleLine(text: string, length = 80): string {
  const line = visibleText(text.trim())
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
