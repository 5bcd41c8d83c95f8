/**
 * Returns a short fingerprint, to compare texts that are too long to keep. It is not cryptographic:
 * collisions can be made on purpose.
 */
export function digest(text: string): string {
  let first = 0x811c9dc5;
  let second = 0;
  for (let index = 0; index < text.length; index++) {
    first = Math.imul(first ^ text.charCodeAt(index), 0x01000193);
    second = (Math.imul(second, 31) + text.charCodeAt(index)) | 0;
  }
  return [text.length, first >>> 0, second >>> 0].map((part) => part.toString(36)).join("-");
}
