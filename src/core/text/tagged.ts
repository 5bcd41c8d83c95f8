/**
 * Puts a text between `<tag>` and `</tag>`. The text cannot close the tag, nor open another one of that name.
 *
 * @param from where the text is from, such as a path; it becomes the tag's attribute `from`
 */
export function tagged(tag: string, text: string, from?: string): string {
  const inner = text.replace(new RegExp(`<(/?)${tag}\\b`, "gi"), `<$1\u200B${tag}`);
  const name = from?.replace(/[\s"<>]+/g, " ").slice(0, 500);
  return `<${tag}${name === undefined ? "" : ` from="${name}"`}>\n${inner}\n</${tag}>`;
}
