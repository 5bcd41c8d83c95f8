/**
 * Returns a word as it is typed in a shell, quoted if it needs to be.
 *
 * @param platform of the machine, as Node names it
 */
export function shellWord(word: string, platform: string): string {
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word)) return word;
  return platform === "win32"
    ? `"${word.replaceAll('"', '\\"')}"`
    : `'${word.replaceAll("'", `'\\''`)}'`;
}
