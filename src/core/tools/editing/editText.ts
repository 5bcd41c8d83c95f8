import { joinLines, linesAt, splitLines, usualEnd, withEnds, type Line } from "../../text/lines.js";
import { plain, transfer } from "../../text/typography.js";
import type { EditBlock } from "./editBlock.js";
import { closestMatch, findBlock, type Fit, type Found } from "./findBlock.js";
import { indentOf } from "./indentation.js";
import { LineIndex } from "./lineIndex.js";
import { linesCompared } from "./linesCompared.js";

export interface EditedByBlocks {
  /** The text with all blocks that could be applied; unchanged if none could. */
  readonly text: string;
  /** The notes, one for each block, in order. */
  readonly notes: readonly string[];
  readonly applied: number;
  readonly refused: number;
}

export type Edited =
  | {
      readonly ok: true;
      readonly text: string;
      readonly note: string;
      /** The number of places that were replaced. */
      readonly places: number;
    }
  | { readonly ok: false; readonly note: string };

interface Placed {
  readonly at: number;
  readonly length: number;
  readonly result: readonly Line[];
}

/**
 * Applies each block that fits at one place, independently of the others. Blocks are looked for in
 * the original text, not in the result of earlier blocks. Lines that a replacement has in common
 * with what it replaces keep their bytes; new lines get the line breaks of their surroundings.
 */
export function applyBlocks(text: string, blocks: readonly EditBlock[]): EditedByBlocks {
  const lines = splitLines(text);
  const file = new LineIndex(lines.map((line) => line.text));
  const end = usualEnd(text);
  const results: (PlacedBlock | { readonly refused: string })[] = [];
  let next = 0;
  for (const block of blocks) {
    const result = place(lines, file, block, { end, next });
    if (!("refused" in result)) next = result.at + result.length;
    results.push(result);
  }
  for (const [index, one] of results.entries()) {
    if ("refused" in one) continue;
    for (const [earlier, other] of results.slice(0, index).entries()) {
      if ("refused" in other || other.same !== undefined) continue;
      if (!overlap(one, other)) continue;
      if (isSame(blocks[index], blocks[earlier]) && one.at === other.at) {
        results[index] = { ...one, same: earlier + 1 };
        break;
      }
      const where = (number: number) =>
        `overlaps block ${number} at line ${Math.max(one.at, other.at) + 1}. Make one block of them.`;
      results[index] = { ...one, clash: where(earlier + 1) };
      results[earlier] = { ...other, clash: other.clash ?? where(index + 1) };
    }
  }
  const good = results.filter((one) => !("refused" in one) && one.clash === undefined);
  const placed = good.flatMap((one) => ("refused" in one || one.same !== undefined ? [] : [one]));
  return {
    text: assembled(lines, placed, end),
    notes: results.map((one, index) => `Block ${index + 1}: ${noteOf(one)}`),
    applied: good.length,
    refused: results.length - good.length,
  };
}

type PlacedBlock = Placed & {
  readonly note: string;
  /** The 1-based number of an earlier block that does the same. */
  readonly same?: number;
  readonly clash?: string;
};

/** Where a block goes, beside what it says itself. */
interface Around {
  /** The usual line break. */
  readonly end: "\n" | "\r\n";
  /** The 0-based line behind what the block before it changes. */
  readonly next: number;
}

function place(
  lines: readonly Line[],
  file: LineIndex,
  block: EditBlock,
  around: Around,
): PlacedBlock | { readonly refused: string } {
  const { end } = around;
  if (block.search.length === 0) {
    if (block.atEnd) return addedAtEnd(lines, block, end);
    return block.under ? addedUnder(lines, file, block, around) : whole(lines, block, end);
  }
  const found = findBlock(file, block);
  const fit = meantFit(file, block, found, around);
  if (!fit) return { refused: whyNot(file, found.fits, block, useStartLine) };
  const { at } = fit;
  const { length } = fit.search;
  const result = replaced(lines.slice(at, at + length), fit, end);
  const overlooked = fit.overlooked === undefined ? "" : `, overlooking ${fit.overlooked}`;
  const note = `line ${at + 1}, ${length} → ${fit.replace.length} lines${overlooked}`;
  return { ...changedPart(lines, { at, length, result }), note };
}

/** Returns the place that a block means of those that it fits; `undefined` if it does not tell. */
function meantFit(
  file: LineIndex,
  { startLine, under = [], atEnd, inOrder }: EditBlock,
  { fits, line }: Found,
  { next }: Around,
): Fit | undefined {
  const numbered = settle(fits, startLine) ?? settle(fits, line);
  if (numbered) return numbered;
  if (atEnd) {
    const last = file.lines.findLastIndex((text) => text.trim() !== "");
    return fits.findLast(({ at, search }) => at + search.length > last);
  }
  const below = inOrder ? fits.filter(({ at }) => at >= next) : [];
  const likely = below.length > 0 ? below : fits;
  return under.length > 0 ? fitUnder(file, likely, under) : only(likely);
}

/** Makes the replacement of a block without searched lines the contents of an empty file. */
function whole(
  lines: readonly Line[],
  { replace }: EditBlock,
  end: "\n" | "\r\n",
): PlacedBlock | { readonly refused: string } {
  if (lines.some(({ text }) => text.trim() !== "")) {
    return {
      refused:
        "it searches for nothing, which fills a new or an empty file, but this file has contents. Give the lines to replace, or use insert_content.",
    };
  }
  const result = replace.map((text): Line => ({ text, end }));
  return { at: 0, length: lines.length, result, note: `${replace.length} lines in an empty file` };
}

/** Adds lines after the file's last. */
function addedAtEnd(
  lines: readonly Line[],
  { replace }: EditBlock,
  end: "\n" | "\r\n",
): PlacedBlock {
  const result = replace.map((text): Line => ({ text, end }));
  return { at: lines.length, length: 0, result, note: `${replace.length} lines at the end` };
}

/** Adds lines right after the one that they stand under. */
function addedUnder(
  lines: readonly Line[],
  file: LineIndex,
  { replace, under = [], inOrder }: EditBlock,
  { end: usual, next }: Around,
): PlacedBlock | { readonly refused: string } {
  const all = headsOf(file, under);
  const below = inOrder ? all.filter((line) => line >= next) : [];
  const heads = below.length > 0 ? below : all;
  const [head] = heads;
  if (head === undefined) {
    return { refused: `not found: there is no line ${JSON.stringify(under.at(-1))}.` };
  }
  if (heads.length > 1) {
    const numbers = heads.map((at) => at + 1);
    return { refused: severalPlaces(numbers, "write the lines around it into the hunk") };
  }
  const end = lines[head]?.end ?? usual;
  const result = replace.map((text): Line => ({ text, end }));
  return {
    at: head + 1,
    length: 0,
    result,
    note: `${replace.length} lines after line ${head + 1}`,
  };
}

/** Leaves out the lines at both ends that stay, so that blocks may share them. */
function changedPart(lines: readonly Line[], { at, length, result }: Placed): Placed {
  const old = lines.slice(at, at + length);
  const shorter = Math.min(old.length, result.length);
  let start = 0;
  while (start < shorter && old[start] === result[start]) start++;
  let stop = 0;
  while (stop < shorter - start && old.at(-1 - stop) === result.at(-1 - stop)) stop++;
  return {
    at: at + start,
    length: length - start - stop,
    result: result.slice(start, result.length - stop),
  };
}

function overlap(one: Placed, other: Placed): boolean {
  if (one.at === other.at && (one.length === 0) === (other.length === 0)) return true;
  return one.at < other.at + other.length && other.at < one.at + one.length;
}

/**
 * Returns the only place in what the lines that a block stands under begin, such as a function; the only place below them if
 * there is none in it.
 */
function fitUnder(
  file: LineIndex,
  fits: readonly Fit[],
  under: readonly string[],
): Fit | undefined {
  const parts = headsOf(file, under).map((head) => ({ head, end: endOfPart(file, head) }));
  const within = fits.filter(({ at }) => parts.some(({ head, end }) => head <= at && at < end));
  if (within.length > 0) return only(within);
  return only(fits.filter(({ at }) => parts.some(({ head }) => head <= at)));
}

/**
 * Returns the 0-based line behind what a line begins: the lines that are indented more, as a function's are, or those up to
 * the next heading of a Markdown file.
 */
function endOfPart({ lines }: LineIndex, head: number): number {
  const first = lines[head] ?? "";
  const level = headingLevel(first);
  const width = indentOf(first).length;
  const ends = (line: string): boolean => {
    if (level > 0) return headingLevel(line) > 0 && headingLevel(line) <= level;
    // A head of several lines goes on with a bracket.
    return line.trim() !== "" && indentOf(line).length <= width && !/^\s*[)\]{]/.test(line);
  };
  const end = lines.findIndex((line, at) => at > head && ends(line));
  return end < 0 ? lines.length : end;
}

/** Returns from 1 to 6 for a heading of a Markdown file, 0 for another line. */
function headingLevel(line: string): number {
  return /^(#{1,6}) /.exec(line)?.[1]?.length ?? 0;
}

function only<T>(all: readonly T[]): T | undefined {
  return all.length === 1 ? all[0] : undefined;
}

/** Returns the 0-based lines that the last of these lines is on, each somewhere below the one before. */
function headsOf(file: LineIndex, under: readonly string[]): readonly number[] {
  let heads: readonly number[] = [-1];
  for (const line of under) {
    const places = file.places(line, "indentation");
    heads = places.filter((place) => heads.some((head) => head < place));
  }
  return heads;
}

function noteOf(one: PlacedBlock | { readonly refused: string }): string {
  if ("refused" in one) return `not applied, ${one.refused}`;
  if (one.clash !== undefined) return `not applied, ${one.clash}`;
  return one.same === undefined ? one.note : `the same as block ${one.same}`;
}

function isSame(one?: EditBlock, other?: EditBlock): boolean {
  const text = (block?: EditBlock) => JSON.stringify([block?.search, block?.replace]);
  return text(one) === text(other);
}

/**
 * Replaces a piece of text that occurs once, or every occurrence if `all` is set. If there is none,
 * replaces text that differs from it in typography only, or else whole lines, as {@link
 * applyBlocks} finds them. A text that ended with a line break still does.
 */
export function replaceText(text: string, old: string, replacement: string, all: boolean): Edited {
  const end = usualEnd(text);
  for (const wanted of new Set([old, withEnds(old, end)])) {
    for (const exact of [true, false]) {
      const [have, looked] = exact ? [text, wanted] : [plain(text), plain(wanted)];
      // If one place is meant, "aa" is found twice in "aaa".
      const at = occurrences(have, looked, all ? looked.length : 1);
      if (at.length === 0) continue;
      const lineNumbers = linesAt(text, at);
      if (at.length > 1 && !all) return { ok: false, note: severalPlaces(lineNumbers, useAll) };
      if (at.some((index) => isInCharacter(text, index))) return { ok: false, note: inCharacter };
      const inner = wanted.includes("\n") ? (wanted.includes("\r\n") ? "\r\n" : "\n") : end;
      const put = withEnds(replacement, inner);
      const pieces = at.map((index) => {
        const actual = text.slice(index, index + wanted.length);
        return actual === wanted ? put : transfer(wanted, put, actual);
      });
      const note = linesNote(lineNumbers) + (exact ? "" : ", overlooking typographic characters");
      const result = ended(spliced(text, at, wanted.length, pieces), text, end);
      return { ok: true, text: result, note, places: at.length };
    }
  }

  const lines = splitLines(text);
  const file = new LineIndex(lines.map((line) => line.text));
  const search = splitLines(old).map((line) => line.text);
  const replace = splitLines(replacement).map((line) => line.text);
  const found = findBlock(file, { search, replace });
  const fits = withoutOverlaps(found.fits);
  const numbered = settle(found.fits, found.line);
  const meant = all || fits.length === 1 ? fits : numbered ? [numbered] : [];
  const [fit] = meant;
  if (!fit) return { ok: false, note: whyNot(file, found.fits, { search, replace }, useAll) };
  const placed = meant.map((each): Placed => {
    const before = lines.slice(each.at, each.at + each.search.length);
    return { at: each.at, length: before.length, result: replaced(before, each, end) };
  });
  const overlooked = fit.overlooked === undefined ? "" : `, overlooking ${fit.overlooked}`;
  return {
    ok: true,
    text: assembled(lines, placed, end),
    note: linesNote(meant.map((each) => each.at + 1)) + overlooked,
    places: meant.length,
  };
}

/**
 * Returns whether a place is behind a byte that is not ASCII: in an unknown encoding, ASCII behind
 * such a byte may be a part of its character.
 */
function isInCharacter(text: string, index: number): boolean {
  const before = index > 0 ? text.charCodeAt(index - 1) : 0;
  const beforeThat = index > 1 ? text.charCodeAt(index - 2) : 0;
  return isLow(before) && (beforeThat < 0xd800 || beforeThat > 0xdbff);
}
const isLow = (unit: number): boolean => unit >= 0xdc80 && unit <= 0xdcff;
const inCharacter =
  "behind a byte of an unknown encoding, and may be a part of that character. Replace whole lines, or use a command that knows the encoding.";

function spliced(
  text: string,
  at: readonly number[],
  length: number,
  pieces: readonly string[],
): string {
  let from = 0;
  let result = "";
  for (const [number, index] of at.entries()) {
    result += text.slice(from, index) + (pieces[number] ?? "");
    from = index + length;
  }
  return result + text.slice(from);
}

/**
 * Adds the last line break that the text had before: models omit it more often than they mean to
 * remove it.
 */
function ended(now: string, before: string, end: "\n" | "\r\n"): string {
  return before.endsWith("\n") && now !== "" && !now.endsWith("\n") ? now + end : now;
}

function settle(fits: readonly Fit[], startLine: number | undefined): Fit | undefined {
  if (fits.length <= 1) return fits[0];
  return fits.find((fit) => fit.at + 1 === startLine);
}

function whyNot(
  file: LineIndex,
  fits: readonly Fit[],
  block: EditBlock,
  otherwise: string,
): string {
  if (fits.length > 1) {
    return severalPlaces(
      fits.map((fit) => fit.at + 1),
      otherwise,
    );
  }
  const there = block.replace.some((line) => line.trim() !== "")
    ? findBlock(file, { search: block.replace, replace: [] }).fits[0]
    : undefined;
  const already = there ? ` The new text is already at line ${there.at + 1}.` : "";
  const closest = closestMatch(file, block.search);
  return `not found.${already} ${closest ?? "Nothing in the file resembles it. Read the file again."}`;
}

const useStartLine =
  "say which one: with :start_line: in a block, or with a line above it behind @@ in a patch";
const useAll = "set replace_all";

function severalPlaces(lineNumbers: readonly number[], otherwise: string): string {
  const shown = lineNumbers.slice(0, 10).join(", ");
  const more = lineNumbers.length > 10 ? `, … (${lineNumbers.length} in all)` : "";
  return `found more than once, at lines ${shown}${more}. Include more of what is around it, or ${otherwise}.`;
}

function linesNote(lineNumbers: readonly number[]): string {
  return lineNumbers.length === 1
    ? `line ${lineNumbers[0] ?? 0}`
    : `${lineNumbers.length} places, at lines ${lineNumbers.slice(0, 20).join(", ")}`;
}

/** Returns the old lines with the changes that turn the searched lines into their replacement. */
function replaced(old: readonly Line[], fit: Fit, usual: "\n" | "\r\n"): Line[] {
  const { search, replace } = fit;
  const result: Line[] = [];
  let at = 0;
  let removed = 0;
  for (const part of linesCompared(search, replace)) {
    if (part.removed) {
      at += part.count;
      removed = part.count;
    } else if (part.added) {
      // New lines get the line break of the line that they replace or follow.
      const end = old[Math.min(at, old.length) - 1]?.end ?? old[0]?.end ?? usual;
      // If as many lines are added as are removed, they are the same lines, changed.
      const inPlace = part.count === removed;
      for (const [index, line] of part.value.entries()) {
        const from = at - removed + index;
        const [searched, actual] = [search[from], old[from]];
        const text =
          inPlace && searched !== undefined && actual
            ? fit.change(searched, line, actual.text)
            : fit.adapt(line);
        result.push({ text, end });
      }
      removed = 0;
    } else {
      removed = 0;
      result.push(...old.slice(at, at + part.count));
      at += part.count;
    }
  }
  return result;
}

function assembled(
  lines: readonly Line[],
  placed: readonly Placed[],
  usual: "\n" | "\r\n",
): string {
  const result = [...lines];
  for (const { at, length, result: now } of lastFirst(placed)) {
    result.splice(at, length, ...now);
  }
  // An edit of lines does not change whether the file ends with a line break.
  const open = lines.at(-1)?.end === "";
  return joinLines(
    result.map((line, index) => {
      if (open && index === result.length - 1) return { ...line, end: "" };
      return line.end === "" ? { ...line, end: usual } : line;
    }),
  );
}

/** Sorts the last first, and lines that are only added after what is replaced at the same place. */
function lastFirst(placed: readonly Placed[]): Placed[] {
  return placed.toSorted((a, b) => b.at - a.at || b.length - a.length);
}

function withoutOverlaps(fits: readonly Fit[]): Fit[] {
  const kept: Fit[] = [];
  for (const fit of fits) {
    const before = kept.at(-1);
    if (!before || before.at + before.search.length <= fit.at) kept.push(fit);
  }
  return kept;
}

function occurrences(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}
