import type { EditBlock } from "./editBlock.js";

const fileEnd = /^\*\*\* End of File\s*$/;

/** Returns whether a line says that what is above it ends the file. */
export function isFileEnd(line: string): boolean {
  return fileEnd.test(line);
}

/** Returns whether a line begins a hunk, as `@@`, `@@ class Cart` and `@@ -3,7 +3,8 @@ total()` do. */
export function isHunkHead(line: string): boolean {
  return line.startsWith("@@");
}

/**
 * Reads the hunks of one file: each an optional head and lines that begin with a blank, `-` or `+`.
 * The counts in heads are not read, because models count wrong; a line that lacks its leading blank
 * counts as one that stays. `*** End of File` ends a hunk whose last line is the file's.
 *
 * @returns the hunks that change something, or what is wrong with one
 */
export function readHunks(
  lines: readonly string[],
): { readonly blocks: readonly EditBlock[] } | { readonly problem: string } {
  const blocks: EditBlock[] = [];
  let heads: string[] = [];
  let body: string[] = [];
  let problem: string | undefined;
  const finish = (atEnd = false) => {
    const read = hunkOf(heads, body, atEnd);
    if (read === "no place") {
      problem ??= `Hunk ${blocks.length + 1} only adds lines and does not say where. Give some lines around them, each with a blank before it.`;
    } else if (read) blocks.push(read);
    heads = [];
    body = [];
  };
  for (const line of lines) {
    if (isFileEnd(line)) {
      finish(true);
      continue;
    }
    if (!isHunkHead(line)) {
      if (!isNoNewline(line)) body.push(line);
      continue;
    }
    // Heads that follow one another lead to one hunk, from the outside in.
    if (body.some((one) => one.trim() !== "")) finish();
    heads.push(line);
    body = [];
  }
  finish();
  return problem === undefined ? { blocks } : { problem };
}

function hunkOf(
  heads: readonly string[],
  body: readonly string[],
  atEnd: boolean,
): EditBlock | "no place" | undefined {
  const lines = withoutEmptyEnds(body);
  const { search, replace } = readLines(lines, (line) => line.replace(/^ /, ""));
  if (search.length === replace.length && search.every((line, at) => line === replace[at])) {
    return undefined;
  }
  const read = heads.map(readHead);
  const under = read.flatMap(({ text }) => (text === "" ? [] : [text]));
  const startLine = read.at(-1)?.line;
  if (search.length === 0) {
    // Line 0 is what a diff says of a file that was not there or empty.
    if (startLine === 0) return { search, replace };
    if (atEnd) return { search, replace, atEnd };
    return under.length > 0 && startLine === undefined
      ? { search, replace, under, inOrder: true }
      : "no place";
  }
  // Where one line lacks its leading blank, the blanks of the others may be their own.
  const lacks = lines.some((line) => /^[^-+ ]/.test(line));
  return {
    search,
    replace,
    ...(lacks ? { otherwise: readLines(lines, (line) => line) } : {}),
    ...(under.length === 0 ? {} : { under }),
    ...(startLine === undefined || startLine === 0 ? {} : { startLine }),
    ...(atEnd ? { atEnd } : {}),
    inOrder: true,
  };
}

/** Returns the text of a new file, whose lines all begin with `+`, or what is wrong with it. */
export function readAddedLines(body: readonly string[]): string[] | string {
  const lines = withoutEmptyEnds(body).filter((line) => !isHunkHead(line) && !isNoNewline(line));
  const wrong = lines.find((line) => !line.startsWith("+"));
  return wrong === undefined
    ? lines.map((line) => line.slice(1))
    : `Every line of a new file begins with +, but this one does not: ${JSON.stringify(wrong.slice(0, 80))}.`;
}

function isNoNewline(line: string): boolean {
  return /^\\ No newline/i.test(line);
}

/** @param staying returns the text of a line that stays */
function readLines(
  lines: readonly string[],
  staying: (line: string) => string,
): Pick<EditBlock, "search" | "replace"> {
  const search: string[] = [];
  const replace: string[] = [];
  for (const line of lines) {
    const sign = line.slice(0, 1);
    const text = sign === "-" || sign === "+" ? line.slice(1) : staying(line);
    if (sign !== "+") search.push(text);
    if (sign !== "-") replace.push(text);
  }
  return { search, replace };
}

/** Removes the empty lines that models put between hunks. */
function withoutEmptyEnds(lines: readonly string[]): readonly string[] {
  const isFilled = (line: string) => line !== "";
  return lines.slice(Math.max(0, lines.findIndex(isFilled)), lines.findLastIndex(isFilled) + 1);
}

function readHead(head: string): { readonly text: string; readonly line?: number } {
  const [, from, rest = ""] =
    /^@@+\s*(?:-(\d+)(?:,\d+)?\s*\+\d+(?:,\d+)?\s*(?:@@+|$))?(.*)/s.exec(head) ?? [];
  const text = rest.replace(/(?<!@)@@+\s*$/, "").trim();
  return from === undefined ? { text } : { text, line: Number(from) };
}
