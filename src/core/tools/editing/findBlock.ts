import { bendIndentation, indentOf } from "./indentation.js";
import { likenesses, type LineIndex, type Likeness } from "./lineIndex.js";
import { asThere, transfer } from "./typography.js";

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
