/** A notification would make links of what a file says. */
export function withoutLinks(text: string): string {
  return text.replaceAll(/[[\]()]/g, "");
}
