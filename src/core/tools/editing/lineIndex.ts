import { plain } from "../../text/typography.js";
import { indentationUnit } from "./indentation.js";

/** The ways of comparing lines, the strictest first. */
export const likenesses = ["exact", "trailing", "typography", "indentation"] as const;
export type Likeness = (typeof likenesses)[number];

/** Returns what is compared of a line. */
function likened(line: string, likeness: Likeness): string {
  switch (likeness) {
    case "exact":
      return line;
    case "trailing":
      return line.trimEnd();
    case "typography":
      return plain(line).trimEnd();
    case "indentation":
      return plain(line).trim();
  }
}

interface Index {
  readonly lines: readonly string[];
  /** The places of each line, 0-based and in order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

interface FilledLines {
  readonly index: LineIndex;
  /** The place of each line in the whole file, 0-based. */
  readonly at: readonly number[];
}

/** An index of a file's lines, built once to look for many blocks in it. */
export class LineIndex {
  readonly #indexes = new Map<Likeness, Index>();
  #wordPlaces: ReadonlyMap<string, readonly number[]> | undefined;
  #unit: string | undefined;
  #filled: FilledLines | undefined;

  constructor(readonly lines: readonly string[]) {}

  /** The indentation of one level in this file. */
  get unit(): string {
    return (this.#unit ??= indentationUnit(this.lines));
  }

  /** The lines that are not empty. */
  get filled(): FilledLines {
    if (this.#filled) return this.#filled;
    const at = this.lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
    return (this.#filled = { at, index: new LineIndex(at.map((one) => this.lines[one] ?? "")) });
  }

  /** Returns the 0-based indexes at which these lines begin, one after the other. */
  positions(search: readonly string[], likeness: Likeness): number[] {
    const { lines, places } = this.#index(likeness);
    const wanted = search.map((line) => likened(line, likeness));
    // The rarest line leaves least to be looked at.
    let rarest = 0;
    let fewest = Infinity;
    for (const [offset, line] of wanted.entries()) {
      const count = places.get(line)?.length ?? 0;
      if (count < fewest) [rarest, fewest] = [offset, count];
    }
    return (places.get(wanted[rarest] ?? "") ?? [])
      .map((place) => place - rarest)
      .filter((at) => at >= 0 && wanted.every((line, offset) => lines[at + offset] === line));
  }

  /** Returns the 0-based indexes of a line, in order. */
  places(line: string, likeness: Likeness): readonly number[] {
    return this.#index(likeness).places.get(likened(line, likeness)) ?? [];
  }

  /**
   * Returns the indexes of lines that share words with this one, the rarest words first: at most
   * `limit`, or all lines of a file that has no more.
   */
  relatives(line: string, limit: number): readonly number[] {
    if (this.lines.length <= limit) return this.lines.map((_, index) => index);
    const found = new Set<number>();
    const lists = wordsOf(line).map((word) => this.#words().get(word) ?? []);
    for (const places of lists.sort((a, b) => a.length - b.length)) {
      for (const place of places) {
        if (found.size >= limit) return [...found];
        found.add(place);
      }
    }
    return [...found];
  }

  #words(): ReadonlyMap<string, readonly number[]> {
    if (this.#wordPlaces) return this.#wordPlaces;
    const places = new Map<string, number[]>();
    for (const [at, line] of this.lines.entries()) {
      for (const word of wordsOf(line)) {
        const there = places.get(word);
        if (there) there.push(at);
        else places.set(word, [at]);
      }
    }
    return (this.#wordPlaces = places);
  }

  #index(likeness: Likeness): Index {
    const known = this.#indexes.get(likeness);
    if (known) return known;
    const lines =
      likeness === "exact" ? this.lines : this.lines.map((line) => likened(line, likeness));
    const places = new Map<string, number[]>();
    for (const [at, line] of lines.entries()) {
      const there = places.get(line);
      if (there) there.push(at);
      else places.set(line, [at]);
    }
    const index = { lines, places };
    this.#indexes.set(likeness, index);
    return index;
  }
}

function wordsOf(line: string): string[] {
  return [...new Set(line.slice(0, 400).match(/[\p{L}\p{N}_]+/gu))];
}
