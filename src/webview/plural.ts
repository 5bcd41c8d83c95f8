/** Returns a count with its noun, as in "1 line", "3,000 lines". */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
