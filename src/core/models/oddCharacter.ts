/** A character that no request's header takes, and its place in the key, counted from 1. */
export interface OddCharacter {
  readonly place: number;
  /** As in `U+2019 (’)`; the code alone if it cannot be seen. */
  readonly character: string;
}

/**
 * Returns the first character of a key that is not printable ASCII: text programs write typographic dashes, quotes and
 * spaces in place of plain ones, and some keys are copied with characters that cannot be seen.
 */
export function oddCharacter(key: string): OddCharacter | undefined {
  const characters = Array.from(key);
  const at = characters.findIndex((one) => !/[\x20-\x7e]/.test(one));
  const found = characters[at];
  if (found === undefined) return undefined;
  const code = `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  const isSeen = /[\p{L}\p{N}\p{P}\p{S}]/u.test(found);
  return { place: at + 1, character: isSeen ? `${code} (${found})` : code };
}
