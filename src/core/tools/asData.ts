/**
 * Text that others wrote, marked off as material: what is in it cannot end the mark, and says nothing
 * in the user's name.
 *
 * @param from what it is from, as `https://example.com/`
 */
export function asData(from: string, text: string): string {
  const name = from.replace(/[\s"<>]+/g, " ").slice(0, 500);
  return `<data from="${name}">\n${text.replace(/<(\/?)data\b/gi, "<$1\u200Bdata")}\n</data>`;
}
