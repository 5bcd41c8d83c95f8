/** Indents every line by the string `by`; empty lines stay empty. */
export function indented(text: string, by = "  "): string {
  return text.replace(/^(?=.)/gm, by);
}
