/** Returns what stands for a character that is not seen, as in `⟨U+202E⟩`. */
export function shownCode(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `⟨U+${code.padStart(4, "0")}⟩`;
}
