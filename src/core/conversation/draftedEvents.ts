import { type Drafted, isWords, spoken, type Words } from "../text/words.js";
import type { EventWords } from "./eventWords.js";

/** Returns the data with its words in English, and with these words in the field `said`, if there are any. */
export function inEnglish<T extends object>(draft: Drafted<T>): T & { said?: EventWords } {
  const found: Record<string, Words> = {};
  const plain = (value: unknown, place: string): unknown => {
    if (isWords(value)) {
      found[place] = { template: value.template, params: value.params };
      return spoken(value);
    }
    return mapped(value, (part, name) => {
      // The event may have been published by a publisher that passes it on.
      if (place === "" && name === "said") return part;
      return plain(part, place === "" ? name : `${place}.${name}`);
    });
  };
  const result = plain(draft, "") as T;
  return Object.keys(found).length === 0 ? result : { ...result, said: found };
}

/** Returns the data with each of its parts changed. */
function mapped(value: unknown, change: (part: unknown, name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one, index) => change(one, String(index)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, change(one, name)]));
}
