import { asThere, transfer } from "../../text/typography.js";
import { beginningOf } from "../../text/wellFormed.js";
import type { EditBlock } from "./editBlock.js";
import { findLoosely } from "./findLoosely.js";
import { bendIndentation, indentOf } from "./indentation.js";
import { likenesses, type Likeness, type LineIndex } from "./lineIndex.js";

/** A place where a block fits, and how to adapt its replacement to fit there too. */
export interface Fit {
  /** 0-based index of the first line. */
  readonly at: number;
  /**
   * The lines as they were found: without copied line numbers, for instance, or without empty lines
   * around them.
   */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The differences that were overlooked, such as `blanks at line ends`. Absent: an exact match. */
  readonly overlooked?: string;
  /** Adapts a line that the replacement adds. */
  readonly adapt: (line: string) => string;
  /** Makes the change in a line of the file that the replacement makes in the searched line. */
  readonly change: (searched: string, replacement: string, actual: string) => string;
}

export interface Found {
  /** The places that fit equally well. */
  readonly fits: readonly Fit[];
  /** The 1-based line that is meant, if line numbers were copied with the block. */
  readonly line?: number;
}

/**
 * Looks for whole lines in a file: first exactly, then without regard to blanks at line ends, then
 * to typographic characters, then to an indentation that is off in one way throughout. All of this
 * is repeated without empty lines around the block, for its other reading, and without line numbers
 * copied from `read_file`; then the block is looked for loosely. The first way that finds anything
 * decides.
 */
export function findBlock(file: LineIndex, block: WantedLines): Found {
  const forms = formsOf(block);
  for (const ways of [fitsOf, looseFitsOf]) {
    for (const { search, replace, line, overlooked } of forms) {
      const fits = ways(file, search, replace).map((fit) => {
        const all = [...overlooked, fit.overlooked ?? ""].filter((one) => one !== "");
        return all.length === 0 ? fit : { ...fit, overlooked: all.join(", ") };
      });
      if (fits.length > 0) return line === undefined ? { fits } : { fits, line };
    }
  }
  return { fits: [] };
}

type WantedLines = Pick<EditBlock, "search" | "replace" | "otherwise">;

interface Form {
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** The 1-based line that is meant, if line numbers were copied with the block. */
  readonly line?: number;
  readonly overlooked: readonly string[];
}

function formsOf({ search, replace, otherwise }: WantedLines): Form[] {
  const numbered = withoutNumbers(search, replace);
  const forms: Form[] = [
    { search, replace, overlooked: [] },
    ...(otherwise ? [{ ...otherwise, overlooked: [] }] : []),
    ...(numbered ? [numbered] : []),
  ];
  return forms.flatMap((form) => [form, ...withoutEmptyEnds(form)]);
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
      return bent
        ? [{ at, search, replace, ...bent, ...(overlooked === undefined ? {} : { overlooked }) }]
        : [];
    });
    if (fits.length > 0) return fits;
  }
  return [];
}

function looseFitsOf(
  file: LineIndex,
  search: readonly string[],
  replace: readonly string[],
): Fit[] {
  return findLoosely(file, search, replace).map((fit) => ({ ...fit, ...asItIs }));
}

const asItIs: Pick<Fit, "adapt" | "change"> = {
  adapt: (line) => line,
  change: (_searched, replacement) => replacement,
};

function bending(
  likeness: Likeness,
  search: readonly string[],
  replace: readonly string[],
  actual: readonly string[],
  unit: string,
): Pick<Fit, "adapt" | "change"> | undefined {
  if (likeness === "exact" || likeness === "trailing") {
    return asItIs;
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
function withoutNumbers(search: readonly string[], replace: readonly string[]): Form | undefined {
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
 * replacement. Returns nothing if there are none, or nothing else.
 */
function withoutEmptyEnds(form: Form): Form[] {
  const { search, replace } = form;
  const start = emptyAtStart(search);
  const end = emptyAtStart(search.toReversed());
  if (start === search.length || start + end === 0) return [];
  const from = Math.min(start, emptyAtStart(replace));
  const to = replace.length - Math.min(end, emptyAtStart(replace.slice(from).toReversed()));
  return [
    {
      ...form,
      search: search.slice(start, search.length - end),
      replace: replace.slice(from, to),
      ...(form.line === undefined ? {} : { line: form.line + start }),
      overlooked: [...form.overlooked, "empty lines around"],
    },
  ];
}

function emptyAtStart(lines: readonly string[]): number {
  const filled = lines.findIndex((line) => line.trim() !== "");
  return filled < 0 ? lines.length : filled;
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
    differences.push(`searched: ${beginningOf(line, 200)}`);
    differences.push(
      actual === undefined
        ? "the file ends here"
        : `line ${at + offset + 1}: ${beginningOf(actual, 200)}`,
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
