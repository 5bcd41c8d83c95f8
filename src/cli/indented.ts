/** Every line moved to the right, empty ones left empty. */
export function indented(text: string, by = "  "): string {
  return text.replace(/^(?=.)/gm, by);
}
