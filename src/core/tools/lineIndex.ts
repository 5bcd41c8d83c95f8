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
