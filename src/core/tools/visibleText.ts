/**
 * Control, formatting and other invisible characters, which can make a preview say something else
 * than what would happen, as in `⟨U+202E⟩`. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replace(
    /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\u00A0\u115F\u1160\u2000-\u200A\u202F\u205F\u2800\u3000\u3164\uFFA0\u{E0100}-\u{E01EF}]/gu,
    (character) =>
      `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** On one line, cut to `length` characters. */
export function visibleLine(text: string, length = 80): string {
  const line = visibleText(text.trim())
    .replace(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}
