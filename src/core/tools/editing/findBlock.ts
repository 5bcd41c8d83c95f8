import { bendIndentation, indentationUnit, indentOf } from "./indentation.js";
import { asThere, plain, transfer } from "./typography.js";

/** A place where a block fits, and how to adapt its replacement to fit there too. */
export interface Fit {
  /** 0-based index of the first line. */
  readonly at: number;
  /** The differences that were overlooked, such as `blanks at line ends`. Absent: an exact match. */
  readonly overlooked?: string;
  /** Adapts a line that the replacement adds. */
  readonly adapt: (line: string) => string;
  /** Makes the change in a line of the file that the replacement makes in the searched line. */
  readonly change: (searched: string, replacement: string, actual: string) => string;
}

export interface Found {
  /** All places that fit equally well. */
  readonly fits: readonly Fit[];
  /**
   * The lines as they were found: without copied line numbers, or without empty lines around them.
   */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The 1-based line that is meant, if line numbers were copied with the block. */
  readonly line?: number;
}

/**
 * Looks for whole lines in a file: first exactly, then without regard to blanks at line ends, then
 * to typographic characters, then to an indentation that is off in one way throughout. All of this
 * is repeated without empty lines around the block, and without line numbers copied from
 * `read_file`. The first way that finds anything decides.
 */
export function findBlock(
  file: LineIndex,
  search: readonly string[],
  replace: readonly string[],
): Found {
  const asWritten = { search, replace, overlooked: [] as readonly string[] };
  const numbered = withoutNumbers(search, replace);
  for (const form of [asWritten, ...(numbered ? [numbered] : [])]) {
    for (const bare of [form, withoutEmptyEnds(form)]) {
      if (bare === undefined) continue;
      const fits = fitsOf(file, bare.search, bare.replace).map((fit) => {
        const overlooked = [...bare.overlooked, fit.overlooked ?? ""].filter((one) => one !== "");
        return overlooked.length === 0 ? fit : { ...fit, overlooked: overlooked.join(", ") };
      });
      if (fits.length > 0) return { ...bare, fits };
    }
  }
  return { search, replace, fits: [] };
}

const overlookedBy: Readonly<Record<Likeness, string | undefined>> = {
  exact: undefined,
  trailing: "blanks at line ends",
  typography: "typographic characters",
  indentation: "indentation",
};

function fitsOf(file: LineIndex, search: readonly string[], replace: readonly string[]): Fit[] {
  // Lines of nothing but blanks would fit anywhere.
  const blank = search.every((line) => line.trim() === "");
  for (const likeness of blank ? (["exact"] as const) : likenesses) {
    const fits = file.positions(search, likeness).flatMap((at): Fit[] => {
      const overlooked = overlookedBy[likeness];
      const actual = file.lines.slice(at, at + search.length);
      const bent = bending(likeness, search, replace, actual, file.unit);
      return bent ? [{ at, ...bent, ...(overlooked === undefined ? {} : { overlooked }) }] : [];
    });
    if (fits.length > 0) return fits;
  }
  return [];
}

function bending(
  likeness: Likeness,
  search: readonly string[],
  replace: readonly string[],
  actual: readonly string[],
  unit: string,
): Pick<Fit, "adapt" | "change"> | undefined {
  if (likeness === "exact" || likeness === "trailing") {
    return { adapt: (line) => line, change: (_searched, replacement) => replacement };
  }
  const trimmed = (lines: readonly string[]) => lines.map((line) => line.trim()).join("\n");
  const plainly = asThere(trimmed(search), trimmed(actual));
  const indent =
    likeness === "typography"
      ? (line: string) => line
      : bendIndentation(search, actual, replace, unit);
  if (!indent) return undefined;
  return {
    adapt: (line) => indent(plainly(line)),
    change: (searched, replacement, line) => {
      const before = indentOf(replacement) === indentOf(searched);
      const to = before ? indentOf(line) : indentOf(indent(replacement));
      return to + transfer(searched.trim(), replacement.trimStart(), line.trim(), plainly);
    },
  };
}

/**
 * Removes line numbers such as `12 | text`; `undefined` unless every line that is not empty has
 * one, and the numbers are consecutive.
 */
function withoutNumbers(search: readonly string[], replace: readonly string[]) {
  let line: number | undefined;
  for (const [index, text] of search.entries()) {
    const found = numbered.exec(text);
    if (!found && text.trim() !== "") return undefined;
    if (!found) continue;
    line ??= Number(found[1]) - index;
    if (Number(found[1]) !== line + index) return undefined;
  }
  if (line === undefined) return undefined;
  const bare = (text: string) => text.replace(numbered, "");
  return { search: search.map(bare), replace: replace.map(bare), line, overlooked: [copied] };
}

const copied = "line numbers";
const numbered = /^\s*(\d+) ?\|(?: |$)?/;

/**
 * Removes the empty lines at both ends of the searched lines, and up to as many from the
 * replacement; `undefined` if there are none, or nothing else.
 */
function withoutEmptyEnds<
  Form extends {
    readonly search: readonly string[];
    readonly replace: readonly string[];
    readonly line?: number;
    readonly overlooked: readonly string[];
  },
>(form: Form): Form | undefined {
  const { search, replace } = form;
  const start = emptyAtStart(search);
  const end = emptyAtStart(search.toReversed());
  if (start === search.length || start + end === 0) return undefined;
  const from = Math.min(start, emptyAtStart(replace));
  const to = replace.length - Math.min(end, emptyAtStart(replace.slice(from).toReversed()));
  return {
    ...form,
    search: search.slice(start, search.length - end),
    replace: replace.slice(from, to),
    ...(form.line === undefined ? {} : { line: form.line + start }),
    overlooked: [...form.overlooked, "empty lines around"],
  };
}

function emptyAtStart(lines: readonly string[]): number {
  const filled = lines.findIndex((line) => line.trim() !== "");
  return filled < 0 ? lines.length : filled;
}

/** How closely lines are compared, the closest first. */
const likenesses = ["exact", "trailing", "typography", "indentation"] as const;
type Likeness = (typeof likenesses)[number];

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

/** An index of a file's lines, built once to look for many blocks in it. */
export class LineIndex {
  readonly #indexes = new Map<Likeness, Index>();
  #wordPlaces: ReadonlyMap<string, readonly number[]> | undefined;
  #unit: string | undefined;

  constructor(readonly lines: readonly string[]) {}

  /** The indentation of one level in this file. */
  get unit(): string {
    return (this.#unit ??= indentationUnit(this.lines));
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

/** The most lines that are compared character by character. */
const maxCompared = 300;
const maxShown = 12;

/**
 * Describes, for a model whose text was not found, which lines come closest and what differs there;
 * `undefined` when nothing resembles the text.
 */
export function closestMatch(file: LineIndex, search: readonly string[]): string | undefined {
  const { lines } = file;
  const at = bestWindow(file, search) ?? mostSimilarLine(file, search);
  if (at === undefined) return undefined;
  const last = Math.min(at + search.length, lines.length);
  const where = last - at > 1 ? `lines ${at + 1}-${last}` : `line ${at + 1}`;
  const differences: string[] = [];
  for (const [offset, line] of search.entries()) {
    const actual = lines[at + offset];
    if (actual === line) continue;
    differences.push(`searched: ${line.slice(0, 200)}`);
    differences.push(
      actual === undefined
        ? "the file ends here"
        : `line ${at + offset + 1}: ${actual.slice(0, 200)}`,
    );
    if (differences.length >= maxShown) {
      differences.push("…");
      break;
    }
  }
  return `Closest: ${where}, with these differences:\n${differences.join("\n")}`;
}

/**
 * Returns the 0-based place where most lines agree, lines of one or two characters aside;
 * `undefined` if none does.
 */
function bestWindow(file: LineIndex, search: readonly string[]): number | undefined {
  const votes = new Map<number, number>();
  for (const [offset, line] of search.entries()) {
    if (line.trim().length <= 2) continue;
    for (const place of file.places(line, "indentation")) {
      const start = place - offset;
      if (start >= 0) votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  }
  let best: number | undefined;
  let most = 0;
  for (const [start, count] of votes) {
    if (count > most || (count === most && start < (best ?? 0))) [best, most] = [start, count];
  }
  return best;
}

function mostSimilarLine(file: LineIndex, search: readonly string[]): number | undefined {
  const offset = search.findIndex((line) => line.trim().length > 2);
  const wanted = search[offset]?.trim() ?? "";
  const target = pairsOf(wanted);
  let best: number | undefined;
  let bestScore = 0.5;
  for (const place of file.relatives(wanted, maxCompared)) {
    const score = similarity(target, pairsOf((file.lines[place] ?? "").trim().slice(0, 400)));
    if (score > bestScore) [best, bestScore] = [place, score];
  }
  return best === undefined ? undefined : Math.max(0, best - offset);
}

function pairsOf(text: string): Set<string> {
  const pairs = new Set<string>();
  for (let i = 0; i + 1 < text.length; i++) pairs.add(text.slice(i, i + 2));
  return pairs;
}

/** Returns Dice's coefficient of two sets of character pairs. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const pair of a) if (b.has(pair)) shared++;
  return (2 * shared) / (a.size + b.size);
}
