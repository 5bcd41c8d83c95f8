/** Returns whether a line opens or closes a fenced block of Markdown, which models put around diffs. */
export function isFence(line: string): boolean {
  return /^\s*```/.test(line);
}
