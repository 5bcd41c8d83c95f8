/** Removes the marks of Markdown that would be seen where text is shown as it is. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/\*\*|`/g, "");
}
