/**
 * Marks text that others wrote as material: it cannot close the mark, and it does not speak for the
 * user.
 *
 * @param from where the text is from, such as `https://example.com/`
 */
export function quoteUntrusted(from: string, text: string): string {
  const name = from.replace(/[\s"<>]+/g, " ").slice(0, 500);
  return `<data from="${name}">\n${text.replace(/<(\/?)data\b/gi, "<$1\u200Bdata")}\n</data>`;
}
