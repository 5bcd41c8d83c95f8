import { english, type Translate } from "./translator.js";
import { isWords, type Spoken, spoken } from "./words.js";

/** Returns plain data with all of its words as texts, in English or in the language of `t`. */
export function allSpoken<T>(data: T, t: Translate = english): Spoken<T> {
  const say = (value: unknown): unknown =>
    isWords(value) ? spoken(value, t) : changedParts(value, say);
  return say(data) as Spoken<T>;
}

/** Returns plain data with each of its parts changed; `name` is the part's own. */
export function changedParts(
  value: unknown,
  change: (part: unknown, name: string) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map((one, index) => change(one, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]));
}
