/** Removes link syntax from a file's text; a notification would make links of it. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/[[\]()]/g, "");
}
