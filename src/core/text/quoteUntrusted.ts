import { tagged } from "./tagged.js";

/**
 * Marks text that others wrote as material: it cannot close the mark, and it does not speak for the
 * user.
 *
 * @param from where the text is from, such as `https://example.com/`
 */
export function quoteUntrusted(from: string, text: string): string {
  return tagged("data", text, from);
}
