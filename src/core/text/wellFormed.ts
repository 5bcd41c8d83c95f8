/** Matches half a surrogate pair: with the flag `u`, whole pairs are one character. */
const half = /\p{Surrogate}/gu;

/**
 * Returns the text with U+FFFD in place of halves of surrogate pairs, which UTF-8 cannot have: servers refuse a
 * conversation with one.
 */
export function wellFormed(text: string): string {
  return text.replace(half, "\uFFFD");
}

/** Returns the first characters of a text, `most` UTF-16 units at most, without half a character at its end. */
export function beginningOf(text: string, most: number): string {
  const divides = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && text.length > most;
  return text.slice(0, divides ? most - 1 : most);
}

/** Returns the last characters of a text, `most` UTF-16 units at most, without half a character at its beginning. */
export function endOf(text: string, most: number): string {
  const end = text.slice(Math.max(0, text.length - most));
  return end.length < text.length ? end.replace(/^[\uDC00-\uDFFF]/, "") : end;
}

/** Returns plain data with all its texts, names of fields included, made {@link wellFormed}, and `null` for what is not finite. */
export function wellFormedData(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(wellFormedData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [wellFormed(key), wellFormedData(one)]),
  );
}
