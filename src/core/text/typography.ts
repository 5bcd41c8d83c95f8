/**
 * The plain characters, by the typographic ones that models and word processors put in their place.
 */
const plainCharacters: ReadonlyMap<string, string> = new Map(
  [
    ["'", "\u2018\u2019\u201A\u201B\u2032"],
    ['"', "\u201C\u201D\u201E\u201F\u2033"],
    ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
    [" ", "\u00A0\u2007\u202F"],
  ].flatMap(([to = "", from = ""]) => Array.from(from).map((one) => [one, to] as const)),
);
const typographic = new RegExp(`[${[...plainCharacters.keys()].join("")}]`, "g");

/** Returns the text in plain characters. Its length stays the same, so that positions stay valid. */
export function plain(text: string): string {
  // Most lines of most files have none, and looking is cheaper than replacing.
  if (!beyondAscii.test(text)) return text;
  return text.replace(typographic, (one) => plainCharacters.get(one) ?? one);
}
const beyondAscii = /[^\x00-\x7F]/;

/**
 * Makes the change from `written` to `changed` in `actual`, which differs from `written` in
 * typography only. What all share stays as it is in `actual`, and characters that are typographic
 * in `written` but plain in `actual` become plain in the added text.
 *
 * @param plainly makes the added text plain, where more is known than these texts show
 */
export function transfer(
  written: string,
  changed: string,
  actual: string,
  plainly = asThere(written, actual),
): string {
  const shorter = Math.min(written.length, changed.length);
  let start = 0;
  while (start < shorter && written[start] === changed[start]) start++;
  let end = 0;
  while (end < shorter - start && written.at(-1 - end) === changed.at(-1 - end)) end++;
  const added = changed.slice(start, changed.length - end);
  return actual.slice(0, start) + plainly(added) + actual.slice(actual.length - end);
}

/**
 * Returns a function that makes plain what was written typographically for plain characters. If one
 * quote was wrong, the others count as wrong, too.
 */
export function asThere(written: string, actual: string): (text: string) => string {
  const wrong = new Set(
    written.split("").filter((one, at) => plainCharacters.has(one) && one !== actual[at]),
  );
  if (wrong.size === 0) return (text) => text;
  const anyQuote = [...wrong].some(isQuote);
  const isWrong = (one: string) =>
    wrong.has(one) || (anyQuote && isQuote(one) && !actual.includes(one));
  return (text) =>
    text.replace(typographic, (one) => (isWrong(one) ? (plainCharacters.get(one) ?? one) : one));
}

function isQuote(character: string): boolean {
  const to = plainCharacters.get(character);
  return to === "'" || to === '"';
}
