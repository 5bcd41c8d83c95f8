import { changedParts } from "../../text/allSpoken.js";
import { type Drafted, isWords, spoken, type Words } from "../../text/words.js";
import type { EventWords } from "./eventWords.js";

/** Returns the data with its words in English, and with these words in the field `said`, if there are any. */
export function inEnglish<T extends object>(draft: Drafted<T>): T & { said?: EventWords } {
  const found: Record<string, Words> = {};
  const plain = (value: unknown, place: string): unknown => {
    if (isWords(value)) {
      found[place] = { template: value.template, params: value.params };
      return spoken(value);
    }
    return changedParts(value, (part, name) => {
      // The event may have been published by a publisher that passes it on.
      if (place === "" && name === "said") return part;
      return plain(part, place === "" ? name : `${place}.${name}`);
    });
  };
  const result = plain(draft, "") as T;
  return Object.keys(found).length === 0 ? result : { ...result, said: found };
}
