/**
 * Formats a count with its noun, as in `1 line`, `3,000 lines`.
 *
 * @param noun the singular; its plural ends in `s`
 */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
