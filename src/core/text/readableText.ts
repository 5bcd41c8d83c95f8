/**
 * Returns a text to be read and not written again: UTF-8, or UTF-16 where a byte order mark says so, as older PowerShell
 * writes it. What cannot be decoded is U+FFFD.
 */
export function readableText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}
