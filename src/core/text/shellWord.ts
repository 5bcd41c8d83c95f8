/** Stands in a command for words that the user has to fill in. */
export const placeholder = "…";

/**
 * Returns a word as it is typed in a shell, quoted if it needs to be.
 *
 * @param isWindows whether the shell is one of Windows, which has no single quotes
 */
export function shellWord(word: string, isWindows: boolean): string {
  if (word === placeholder) return `"${placeholder}"`;
  if (/^[\w@%+=:,./-][\w@%+=:,./#-]*$/.test(word)) return word;
  return isWindows ? `"${word.replaceAll('"', '\\"')}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
