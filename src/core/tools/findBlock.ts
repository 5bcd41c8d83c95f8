import { bendIndentation, indentOf } from "./indentation.js";
import { likenesses, type LineIndex, type Likeness } from "./lineIndex.js";
import { asThere, transfer } from "./typography.js";

/** Where a block fits, and how its replacement has to be bent to fit there too. */
export interface Fit {
  /** 0-based index of the first line. */
  readonly at: number;
  /** What was overlooked to find it, as in `blanks at line ends`; absent for an exact match. */
  readonly overlooked?: string;
  /** Bends a line that the replacement adds. */
  readonly adapt: (line: string) => string;
  /** Does to a line of the file what the replacement does to the line that was searched for. */
  readonly change: (searched: string, replacement: string, actual: string) => string;
}

export interface Found {
  /** All that are equally good. */
  readonly fits: readonly Fit[];
  /** As they were found: without what had been copied in, or was left out. */
  readonly search: readonly string[];
  readonly replace: readonly string[];
  /** Line numbers that were copied in say which place is meant: 1-based. */
  readonly line?: number;
}

/**
 * Looks for whole lines in a file: as they are; else without regard to blanks at line ends, then to
 * typographic characters, then to an indentation that is off in one way throughout; else all that
 * again without line numbers copied from `read_file`, and without empty lines around the block. The
 * first way that finds anything decides.
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

/** `12 | text`, if every line that is not empty begins like that, with numbers that follow. */
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

/** Without empty lines at both ends of what is searched, and as many of the replacement's. */
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
