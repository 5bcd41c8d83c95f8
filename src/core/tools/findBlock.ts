/** Where a block fits, and how its replacement has to be bent to fit there too. */
export interface Fit {
  /** 0-based index of the first line. */
  readonly at: number;
  /** What was overlooked to find it, as in `trailing blanks`; absent for an exact match. */
  readonly overlooked?: string;
  /** Bends a line that the replacement adds. */
  readonly adapt: (line: string) => string;
}

export interface Found {
  /** All that are equally good. */
  readonly fits: readonly Fit[];
  /** As they were found: without line numbers that had been copied in. */
  readonly search: readonly string[];
  readonly replace: readonly string[];
}

/**
 * Looks for whole lines in a file: as they are; else without regard to blanks at line ends, then to
 * typographic quotes, then to a shift of the whole block's indentation; else all that again without
 * line numbers copied from `read_file`. The first way that finds anything decides.
 */
export function findBlock(
  lines: readonly string[],
  search: readonly string[],
  replace: readonly string[],
): Found {
  const direct = fitsOf(lines, search);
  const numbered = direct.length > 0 ? undefined : withoutNumbers(search);
  if (!numbered) return { fits: direct, search, replace };
  const fits = fitsOf(lines, numbered).map((fit) => ({
    ...fit,
    overlooked: fit.overlooked === undefined ? "line numbers" : `line numbers, ${fit.overlooked}`,
  }));
  return { fits, search: numbered, replace: withoutNumbers(replace) ?? replace };
}

function fitsOf(lines: readonly string[], search: readonly string[]): Fit[] {
  const exact = positions(lines, search).map((at) => ({ at, adapt: asItIs }));
  // Lines of nothing but blanks would fit anywhere.
  if (exact.length > 0 || search.every((line) => line.trim() === "")) return exact;

  const trimmed = positions(lines.map(trimEnd), search.map(trimEnd));
  if (trimmed.length > 0) {
    return trimmed.map((at) => ({ at, adapt: asItIs, overlooked: "blanks at line ends" }));
  }
  const plainLines = lines.map(plain);
  const plainSearch = search.map(plain);
  const typographic = positions(plainLines, plainSearch);
  if (typographic.length > 0) {
    return typographic.map((at) => ({ at, adapt: asItIs, overlooked: "typographic characters" }));
  }
  return positions(plainLines.map(trimStart), plainSearch.map(trimStart)).flatMap((at) => {
    const adapt = shiftBetween(plainSearch, plainLines.slice(at, at + search.length));
    return adapt ? [{ at, adapt, overlooked: "indentation" }] : [];
  });
}

function positions(lines: readonly string[], search: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + search.length <= lines.length; at++) {
    if (search.every((line, offset) => lines[at + offset] === line)) found.push(at);
  }
  return found;
}

/** How every line's indentation differs, if all differ in the same way. */
function shiftBetween(
  written: readonly string[],
  actual: readonly string[],
): ((line: string) => string) | undefined {
  let added: string | undefined;
  let removed: string | undefined;
  for (const [index, line] of written.entries()) {
    if (line === "") continue;
    const from = indentOf(line);
    const to = indentOf(actual[index] ?? "");
    if (!to.endsWith(from) && !from.endsWith(to)) return undefined;
    const more = to.slice(0, Math.max(0, to.length - from.length));
    const less = from.slice(0, Math.max(0, from.length - to.length));
    added ??= more;
    removed ??= less;
    if (more !== added || less !== removed) return undefined;
  }
  const [more, less] = [added ?? "", removed ?? ""];
  return (line) => {
    if (line.trim() === "") return line;
    if (less === "") return more + line;
    return line.startsWith(less) ? line.slice(less.length) : line.trimStart();
  };
}

/** `12 | text`, if every line that is not empty begins like that. */
function withoutNumbers(lines: readonly string[]): string[] | undefined {
  const numbered = /^\s*\d+ \| ?/;
  const filled = lines.filter((line) => line.trim() !== "");
  if (filled.length === 0 || !filled.every((line) => numbered.test(line))) return undefined;
  return lines.map((line) => line.replace(numbered, ""));
}

function plain(line: string): string {
  return line
    .replace(/[\u2018\u2019\u201A\u201B\u2032]/g, "'")
    .replace(/[\u201C\u201D\u201E\u201F\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replaceAll("\u2026", "...")
    .replace(/[\u00A0\u2007\u202F]/g, " ")
    .trimEnd();
}

const asItIs = (line: string): string => line;
const trimEnd = (line: string): string => line.trimEnd();
const trimStart = (line: string): string => line.trimStart();
const indentOf = (line: string): string => line.slice(0, line.length - line.trimStart().length);
