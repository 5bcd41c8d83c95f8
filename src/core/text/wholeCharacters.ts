/**
 * Returns how many of the first bytes of a text in UTF-8 are whole characters, `most` at most; the byte that
 * follows begins another one. In other bytes it is at most three less than `most`.
 */
export function wholeCharacters(utf8: Uint8Array, most: number): number {
  const end = Math.min(utf8.length, most);
  const begins = (at: number) => ((utf8[at] ?? 0) & 0xc0) !== 0x80;
  return [end, end - 1, end - 2, end - 3].find(begins) ?? end;
}
