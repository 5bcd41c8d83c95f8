import { diffArrays } from "diff";
import { closestMatch } from "./closestMatch.js";
import { findBlock, type Fit } from "./findBlock.js";
import { joinLines, lineAt, splitLines, usualEnd, withEnds, type Line } from "./lines.js";
import type { SearchReplaceBlock } from "./searchReplaceBlocks.js";

export type Edited =
  | { readonly ok: true; readonly text: string; readonly notes: readonly string[] }
  /** Nothing changed; every note is about one block. */
  | { readonly ok: false; readonly notes: readonly string[] };

interface Placed {
  readonly number: number;
  readonly at: number;
  readonly length: number;
  readonly result: readonly Line[];
}

/**
 * Applies all blocks or none. They are looked for in the text as it is, not in what earlier blocks
 * make of it. Lines that a replacement has in common with what it replaces keep their bytes; new
 * lines get the line breaks of their surroundings.
 */
export function applyBlocks(text: string, blocks: readonly SearchReplaceBlock[]): Edited {
  const lines = splitLines(text);
  const texts = lines.map((line) => line.text);
  const end = usualEnd(text);
  const placed: Placed[] = [];
  const notes: string[] = [];
  let ok = true;
  for (const [index, block] of blocks.entries()) {
    const number = index + 1;
    const found = findBlock(texts, block.search, block.replace);
    const fit = settle(found.fits, block.startLine);
    if (!fit) {
      ok = false;
      notes.push(`Block ${number}: ${whyNot(texts, found.fits, block, useStartLine)}`);
      continue;
    }
    const old = lines.slice(fit.at, fit.at + found.search.length);
    placed.push({
      number,
      at: fit.at,
      length: old.length,
      result: replaced(old, found.search, found.replace, fit, end),
    });
    const overlooked = fit.overlooked === undefined ? "" : `, overlooking ${fit.overlooked}`;
    notes.push(
      `Block ${number}: line ${fit.at + 1}, ${old.length} → ${found.replace.length} lines${overlooked}`,
    );
  }
  const overlap = overlapOf(placed);
  if (overlap !== undefined) return { ok: false, notes: [...notes, overlap] };
  return ok ? { ok, text: assembled(lines, placed, end), notes } : { ok, notes };
}

/**
 * Replaces a piece of text that occurs once, or every occurrence; falls back to whole lines, as
 * {@link applyBlocks} finds them.
 */
export function replaceText(text: string, old: string, replacement: string, all: boolean): Edited {
  const end = usualEnd(text);
  for (const wanted of new Set([old, withEnds(old, end)])) {
    // "aa" is in "aaa" twice when one of them is meant.
    const at = occurrences(text, wanted, all ? wanted.length : 1);
    if (at.length === 0) continue;
    const lineNumbers = at.map((index) => lineAt(text, index));
    if (at.length > 1 && !all) return { ok: false, notes: [severalPlaces(lineNumbers, useAll)] };
    const inner = wanted.includes("\n") ? (wanted.includes("\r\n") ? "\r\n" : "\n") : end;
    return {
      ok: true,
      text: text.split(wanted).join(withEnds(replacement, inner)),
      notes: [linesNote(lineNumbers)],
    };
  }

  const lines = splitLines(text);
  const texts = lines.map((line) => line.text);
  const search = splitLines(old).map((line) => line.text);
  const replace = splitLines(replacement).map((line) => line.text);
  const found = findBlock(texts, search, replace);
  const fits = withoutOverlaps(found.fits, search.length);
  const [fit] = fits;
  if (!fit || (fits.length > 1 && !all)) {
    return { ok: false, notes: [whyNot(texts, found.fits, { search, replace }, useAll)] };
  }
  const placed = fits.map((each, index) => {
    const before = lines.slice(each.at, each.at + search.length);
    const result = replaced(before, found.search, found.replace, each, end);
    return { number: index + 1, at: each.at, length: before.length, result };
  });
  const overlooked = fit.overlooked === undefined ? "" : `, overlooking ${fit.overlooked}`;
  return {
    ok: true,
    text: assembled(lines, placed, end),
    notes: [linesNote(fits.map((each) => each.at + 1)) + overlooked],
  };
}

function settle(fits: readonly Fit[], startLine: number | undefined): Fit | undefined {
  if (fits.length <= 1) return fits[0];
  return fits.find((fit) => fit.at + 1 === startLine);
}

function whyNot(
  texts: readonly string[],
  fits: readonly Fit[],
  block: SearchReplaceBlock,
  otherwise: string,
): string {
  if (fits.length > 1) {
    return severalPlaces(
      fits.map((fit) => fit.at + 1),
      otherwise,
    );
  }
  const there = block.replace.some((line) => line.trim() !== "")
    ? findBlock(texts, block.replace, []).fits[0]
    : undefined;
  const already = there ? ` The new text is already at line ${there.at + 1}.` : "";
  const closest = closestMatch(texts, block.search);
  return `not found.${already} ${closest ?? "Nothing in the file resembles it. Read the file again."}`;
}

const useStartLine = "say which one with :start_line:";
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

/** Old lines with what the replacement changes changed. */
function replaced(
  old: readonly Line[],
  search: readonly string[],
  replace: readonly string[],
  fit: Fit,
  usual: "\n" | "\r\n",
): Line[] {
  const result: Line[] = [];
  let at = 0;
  for (const part of diffArrays([...search], [...replace])) {
    if (part.removed) at += part.count;
    else if (part.added) {
      // Breaks lines as the line does whose place it takes.
      const end = old[Math.min(at, old.length) - 1]?.end ?? old[0]?.end ?? usual;
      for (const text of part.value) result.push({ text: fit.adapt(text), end });
    } else {
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
  for (const { at, length, result: now } of [...placed].sort((a, b) => b.at - a.at)) {
    result.splice(at, length, ...now);
  }
  // Whether the file ends with a line break is not what an edit of lines is about.
  const open = lines.at(-1)?.end === "";
  return joinLines(
    result.map((line, index) => {
      if (open && index === result.length - 1) return { ...line, end: "" };
      return line.end === "" ? { ...line, end: usual } : line;
    }),
  );
}

function overlapOf(placed: readonly Placed[]): string | undefined {
  const sorted = [...placed].sort((a, b) => a.at - b.at);
  for (const [index, block] of sorted.entries()) {
    const before = sorted[index - 1];
    if (before && before.at + before.length > block.at) {
      return `Blocks ${before.number} and ${block.number} overlap at line ${block.at + 1}. Join them into one.`;
    }
  }
  return undefined;
}

function withoutOverlaps(fits: readonly Fit[], length: number): Fit[] {
  const kept: Fit[] = [];
  for (const fit of fits) {
    const before = kept.at(-1);
    if (!before || before.at + length <= fit.at) kept.push(fit);
  }
  return kept;
}

function occurrences(text: string, wanted: string, step: number): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + step)) found.push(at);
  return found;
}
