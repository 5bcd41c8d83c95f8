import type { Translate } from "../../text/translator.js";
import { spoken, type Words } from "../../text/words.js";

/** The words of an event's texts, by where each text stands in it, as in `text` or `event.notes.0`. */
export type EventWords = Readonly<Record<string, Words>>;

/**
 * Returns the event with its texts in the language of `t`. A text stays as it is where its words do not come to just
 * that text in English: a file may say anything, and is to show what it says.
 */
export function inLanguage<T extends { readonly said?: EventWords | undefined }>(
  event: T,
  t: Translate,
): T {
  return Object.entries(event.said ?? {}).reduce<T>(
    (all, [place, words]) => replaced(all, place.split("."), words, t) as T,
    event,
  );
}

/** Returns the value with the text at a place said in the language of `t`. */
function replaced(
  value: unknown,
  [name, ...rest]: readonly string[],
  words: Words,
  t: Translate,
): unknown {
  if (name === undefined) return value === spoken(words) ? spoken(words, t) : value;
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return value;
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...value }) as Parts;
  copy[name] = replaced(copy[name], rest, words, t);
  return copy;
}

type Parts = Record<string, unknown>;
