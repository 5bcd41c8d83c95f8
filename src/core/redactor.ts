import type { TextFilter } from "./ports.js";

/** What stands in the place of a key that was taken out. */
export const redactionMark = "[an API key is left out here]";

/** Characters that a key must have; anything shorter stands in ordinary texts, too. */
const shortestKey = 8;

/** What is set where a server wants no key, as in `none`, `lm-studio` or `not-needed`. */
const placeholder = /^[a-z]+(?:[-_ ][a-z]+)*$/i;

/** Placeholders are short; a long key may well have nothing but letters. */
const longestPlaceholder = 19;

/** A key as it stands in an address; one with half a character in it can stand in none. */
function inAddress(key: string): string {
  try {
    return encodeURIComponent(key);
  } catch {
    return key;
  }
}

/**
 * Takes the keys that are in use out of whatever is stored or shown, wherever they come from: files
 * that were read, output of commands, a model's words, errors. Keys stay known for as long as the
 * process runs, so that one that was replaced does not appear later.
 */
export class Redactor {
  /** Every spelling of every key, the longest first. */
  #spellings: readonly string[] = [];

  /** Adds keys; what is too short or too plain to be a key is passed over. */
  learn(...keys: readonly (string | undefined)[]): void {
    const known = new Set(this.#spellings);
    for (const key of keys.map((one) => one?.trim() ?? "")) {
      if (key.length < shortestKey) continue;
      if (key.length <= longestPlaceholder && placeholder.test(key)) continue;
      known.add(key);
      // In JSON and in addresses a key with signs in it is written in another way.
      known.add(JSON.stringify(key).slice(1, -1));
      known.add(inAddress(key));
    }
    this.#spellings = [...known].sort((a, b) => b.length - a.length);
  }

  /** The text without the keys. */
  text(text: string): string {
    let result = text;
    for (const spelling of this.#spellings) result = result.replaceAll(spelling, redactionMark);
    return result;
  }

  /** A copy of plain data in which no text has a key; what is no plain data stays as it is. */
  each<T>(value: T): T {
    return this.#spellings.length === 0 ? value : (this.#copy(value) as T);
  }

  /** A filter for one text that comes in pieces, such as the output of a command. */
  stream(): TextFilter {
    let held = "";
    return {
      add: (piece) => {
        const text = held + piece;
        const end = this.#certainEnd(text);
        held = text.slice(end);
        return this.text(text.slice(0, end));
      },
      finish: () => {
        const rest = held;
        held = "";
        return this.text(rest);
      },
    };
  }

  #copy(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((one) => this.#copy(one));
    if (typeof value !== "object" || value === null) return value;
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#copy(one)]));
  }

  /** Where that end of a text begins which may be the beginning of a key. */
  #certainEnd(text: string): number {
    let end = text.length;
    for (const spelling of this.#spellings) {
      const first = Math.max(0, text.length - spelling.length + 1);
      for (let at = first; at < end; at++) {
        if (spelling.startsWith(text.slice(at))) end = at;
      }
    }
    // A whole key must not be cut where its end may be the beginning of another.
    for (const spelling of this.#spellings) {
      const at = text.lastIndexOf(spelling, end - 1);
      if (at >= 0 && at < end && at + spelling.length > end) end = at;
    }
    return end;
  }
}
