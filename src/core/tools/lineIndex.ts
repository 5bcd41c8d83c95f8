import { indentationUnit } from "./indentation.js";
import { plain } from "./typography.js";

/** How closely lines are compared, the closest first. */
export const likenesses = ["exact", "trailing", "typography", "indentation"] as const;
export type Likeness = (typeof likenesses)[number];

/** A line as it is compared. */
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
  /** Where each of them is, 0-based and in order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** A file's lines, made ready once to look for many blocks in. */
export class LineIndex {
  readonly #indexes = new Map<Likeness, Index>();
  #wordPlaces: ReadonlyMap<string, readonly number[]> | undefined;
  #unit: string | undefined;

  constructor(readonly lines: readonly string[]) {}

  /** What a level of indentation is here. */
  get unit(): string {
    return (this.#unit ??= indentationUnit(this.lines));
  }

  /** Where these lines are, one after the other: 0-based indexes of the first. */
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

  /** Where a line is: 0-based indexes, in order. */
  places(line: string, likeness: Likeness): readonly number[] {
    return this.#index(likeness).places.get(likened(line, likeness)) ?? [];
  }

  /** Lines that share the rarest words of this one, so many at most, or all of a short file. */
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
