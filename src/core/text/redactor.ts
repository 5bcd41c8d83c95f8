import type { TextFilter } from "../ports/shell.js";

/** The text that replaces a removed key. */
export const redactionMark = "[an API key is left out here]";

/** The fewest characters of a key; shorter ones also occur in ordinary texts. */
const shortestKey = 8;

/** Matches placeholders for servers that want no key, such as `none`, `lm-studio` or `not-needed`. */
const placeholder = /^[a-z]+(?:[-_ ][a-z]+)*$/i;

/** The most characters of a placeholder; a longer text of letters only may be a real key. */
const longestPlaceholder = 19;

/**
 * Returns the key as it is written in a URL. A key with half a surrogate pair cannot be in a URL and
 * stays unchanged.
 */
function inAddress(key: string): string {
  try {
    return encodeURIComponent(key);
  } catch {
    return key;
  }
}

/**
 * Removes API keys from everything that is stored or shown, whatever its source: files that were read,
 * command output, a model's words, errors. Keys stay known for as long as the process runs, so that a
 * replaced key does not appear later either.
 */
export class Redactor {
  /** The spellings of all keys, the longest first. */
  #spellings: readonly string[] = [];

  /** Adds keys; skips texts that are too short or look like placeholders. */
  learn(...keys: readonly (string | undefined)[]): void {
    const known = new Set(this.#spellings);
    for (const key of keys.map((one) => one?.trim() ?? "")) {
      if (key.length < shortestKey) continue;
      if (key.length <= longestPlaceholder && placeholder.test(key)) continue;
      known.add(key);
      // In JSON and in URLs a key with special characters is escaped.
      known.add(JSON.stringify(key).slice(1, -1));
      known.add(inAddress(key));
    }
    this.#spellings = [...known].sort((a, b) => b.length - a.length);
  }

  /** Returns the text with every key replaced. */
  text(text: string): string {
    let result = text;
    for (const spelling of this.#spellings) result = result.replaceAll(spelling, redactionMark);
    return result;
  }

  /**
   * Returns a copy of plain data with the keys replaced in all its texts; other objects stay as they
   * are.
   */
  each<T>(value: T): T {
    return this.#spellings.length === 0 ? value : (this.#copy(value) as T);
  }

  /** Returns a filter for one text that arrives in pieces, such as the output of a command. */
  stream(): TextFilter {
    let pending = "";
    return {
      add: (piece) => {
        const text = pending + piece;
        const end = this.#certainEnd(text);
        pending = text.slice(end);
        return this.text(text.slice(0, end));
      },
      finish: () => {
        const rest = pending;
        pending = "";
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

  /**
   * Returns the offset of the end of the text that may be the beginning of a key; the text's length if
   * there is none.
   */
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
