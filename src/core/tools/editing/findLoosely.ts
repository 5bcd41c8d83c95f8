import { asThere, plain } from "../../text/typography.js";
import { indentLike, indentOf } from "./indentation.js";
import type { LineIndex } from "./lineIndex.js";
import { linesCompared } from "./linesCompared.js";

/** A place that a block fits loosely, and the block as it has to be there. */
export interface LooseFit {
  /** 0-based index of the first line. */
  readonly at: number;
  /** The file's own lines at the place. */
  readonly search: readonly string[];
  /** These lines with the block's changes. */
  readonly replace: readonly string[];
  /** The ignored differences, such as `indentation, 1 line around that is not there`. */
  readonly overlooked: string;
}

/** The most lines that are left out at each end of a block, as of a patch's context. */
const mostLeftOut = 2;

/**
 * Looks for a block whose lines are all in the file, but with other blanks before each of them, or
 * with other empty lines between them; then without the first and last lines, up to two at each
 * end, if the block does not change these. A line that stays keeps the file's bytes, and added lines
 * are indented as their neighbours are.
 *
 * @returns all places that fit equally well
 */
export function findLoosely(
  file: LineIndex,
  search: readonly string[],
  replace: readonly string[],
): LooseFit[] {
  // Comparing the lines takes long for a big block, and is in vain if its middle is not there.
  const middle = search.filter((line) => line.trim() !== "").slice(mostLeftOut, -mostLeftOut);
  if (middle.length > 0 && placesOf(file, middle).length === 0) return [];
  const steps = stepsOf(search, replace);
  const old = steps.filter(({ kind, key }) => kind !== "added" && key !== "");
  if (old.length === 0) return [];
  const start = Math.min(mostLeftOut, stayingAtStart(old));
  const end = Math.min(mostLeftOut, stayingAtStart(old.toReversed()));
  for (let out = 0; out <= start + end; out++) {
    const places = placesWithout(file, steps, old, out, { start, end });
    if (places.length === 0) continue;
    if (out > 0 && places.some((place) => isRivalled(file, old, place))) return [];
    const fits = places.map((place) => fitAt(file.lines, steps, place, out));
    const good = fits.filter((fit) => fit !== undefined);
    return good.length === fits.length ? good : [];
  }
  return [];
}

/** A line of a block: one that stays, one to be removed, or one to be added. */
interface Step {
  readonly kind: "stays" | "removed" | "added";
  readonly text: string;
  /** The part of the line that is compared. */
  readonly key: string;
}

const keyOf = (line: string): string => plain(line).trim();

function stepsOf(search: readonly string[], replace: readonly string[]): Step[] {
  return linesCompared(search, replace).flatMap((part) => {
    const kind = part.removed ? "removed" : part.added ? "added" : "stays";
    return part.value.map((text) => ({ kind, text, key: keyOf(text) }) as const);
  });
}

function stayingAtStart(old: readonly Step[]): number {
  const changed = old.findIndex(({ kind }) => kind === "removed");
  return changed < 0 ? old.length : changed;
}

/**
 * Returns whether a block without some of its lines can still be told from others: at least two lines and
 * half of them are left, and have a word in them.
 */
function saysEnough(kept: readonly Step[], old: readonly Step[]): boolean {
  if (kept.length === old.length) return true;
  const out = old.filter((step) => !kept.includes(step));
  return (
    kept.length >= Math.max(2, (old.length * 2) / 3) &&
    kept.some(({ key }) => /[\p{L}\p{N}_]{3}/u.test(key)) &&
    // A sign behind blanks may mean that the line is to be added or removed.
    !out.some(({ key }) => /^[-+]/.test(key))
  );
}

/** Returns each place of a block without a number of its first and last lines: the line of each step. */
function placesWithout(
  file: LineIndex,
  steps: readonly Step[],
  old: readonly Step[],
  out: number,
  most: { readonly start: number; readonly end: number },
): ReadonlyMap<Step, number>[] {
  const found: ReadonlyMap<Step, number>[] = [];
  for (let start = Math.max(0, out - most.end); start <= Math.min(out, most.start); start++) {
    const kept = old.slice(start, old.length - (out - start));
    if (!saysEnough(kept, old) || followsAdded(steps, kept.at(-1))) continue;
    const texts = kept.map(({ text }) => text);
    for (const places of placesOf(file, texts)) {
      found.push(new Map(kept.map((step, n) => [step, places[n] ?? 0])));
    }
  }
  return found;
}

/**
 * Returns whether another place has as many of a block's lines as this one, which lacks some: then
 * the block may be about either.
 */
function isRivalled(
  file: LineIndex,
  old: readonly Step[],
  place: ReadonlyMap<Step, number>,
): boolean {
  const { index, at } = file.filled;
  const [first, last] = [Math.min(...place.values()), Math.max(...place.values())];
  const shared = new Map<number, number>();
  for (const [offset, { text }] of old.entries()) {
    for (const found of index.places(text, "indentation")) {
      const line = at[found] ?? 0;
      if (line >= first && line <= last) continue;
      // Some lines more or fewer between them, and they would be at the next start.
      for (const start of [-1, 0, 1].map((more) => found - offset + more)) {
        shared.set(start, (shared.get(start) ?? 0) + 1);
      }
    }
  }
  return Math.max(0, ...shared.values()) >= place.size;
}

/**
 * Returns whether a line that stays, after the last one kept, comes right after added ones: it may be
 * one of them.
 */
function followsAdded(steps: readonly Step[], last: Step | undefined): boolean {
  const rest = steps.slice(steps.findIndex((step) => step === last) + 1);
  const next = rest.findIndex(({ kind, key }) => kind === "stays" && key !== "");
  return next > 0 && rest[next - 1]?.kind === "added";
}

/** Returns, for each place of these lines, the 0-based lines of the file that they are on. */
function placesOf(file: LineIndex, texts: readonly string[]): number[][] {
  const { index, at } = file.filled;
  return index.positions(texts, "indentation").map((from) => at.slice(from, from + texts.length));
}

function fitAt(
  lines: readonly string[],
  steps: readonly Step[],
  places: ReadonlyMap<Step, number>,
  leftOut: number,
): LooseFit | undefined {
  const at = Math.min(...places.values());
  const end = Math.max(...places.values()) + 1;
  if (
    leftOut > 0 &&
    isThereAlready(lines.slice(Math.max(0, at - mostLeftOut), end + mostLeftOut), steps)
  ) {
    return undefined;
  }
  const replace: string[] = [];
  const adapt = adaptation(lines, places);
  let next = at;
  for (const [index, step] of steps.entries()) {
    const place = places.get(step);
    if (step.kind === "added") {
      const added = adapt(steps, index);
      if (added === undefined) return undefined;
      replace.push(added);
    } else if (place !== undefined) {
      replace.push(...lines.slice(next, place));
      if (step.kind === "stays") replace.push(lines[place] ?? "");
      next = place + 1;
    } else if (step.key === "" && next > at && next < end && lines[next]?.trim() === "") {
      // An empty line of the block is one of the file's where there is one.
      if (step.kind === "stays") replace.push(lines[next] ?? "");
      next++;
    } else if (step.kind === "removed") {
      return undefined;
    }
  }
  const missing = leftOut === 1 ? "1 line around that is" : `${leftOut} lines around that are`;
  return {
    at,
    search: lines.slice(at, end),
    replace,
    overlooked: `blanks${leftOut === 0 ? "" : ` and ${missing} not there`}`,
  };
}

function isThereAlready(around: readonly string[], steps: readonly Step[]): boolean {
  const added = new Set(
    steps.filter(({ kind, key }) => kind === "added" && key !== "").map(({ key }) => key),
  );
  const removed = new Set(steps.filter(({ kind }) => kind === "removed").map(({ key }) => key));
  return around.map(keyOf).some((key) => added.has(key) && !removed.has(key));
}

/**
 * Returns a function that makes an added line one of the file's; it returns `undefined` where its
 * indentation is unclear.
 */
function adaptation(lines: readonly string[], places: ReadonlyMap<Step, number>) {
  const pairOf = (step: Step) => [step.text, lines[places.get(step) ?? 0] ?? ""] as const;
  const pairs = [...places.keys()].map(pairOf);
  const joined = (which: 0 | 1) => pairs.map((pair) => pair[which].trim()).join("\n");
  const plainly = asThere(joined(0), joined(1));
  return (steps: readonly Step[], index: number): string | undefined => {
    const { text = "" } = steps[index] ?? {};
    if (text.trim() === "") return text;
    const telling = neighbours(lines, steps, index, places).map(pairOf);
    const indented = new Set(telling.map(([from, to]) => indentLike(text, from, to)));
    const [line] = indented;
    return indented.size === 1 && line !== undefined ? plainly(line) : undefined;
  };
}

/** Returns the lines whose indentation tells that of an added line: those that it replaces, or the ones beside it. */
function neighbours(
  lines: readonly string[],
  steps: readonly Step[],
  index: number,
  places: ReadonlyMap<Step, number>,
): Step[] {
  const start = steps.slice(0, index).findLastIndex(({ kind }) => kind === "stays") + 1;
  const stop = steps.findIndex(({ kind }, at) => at > index && kind === "stays");
  const run = steps.slice(start, stop < 0 ? steps.length : stop);
  const removed = run.filter((step) => step.kind === "removed" && places.has(step));
  if (removed.length > 0) {
    const added = run.filter(({ kind }) => kind === "added");
    const pair = removed[added.findIndex((step) => step === steps[index])];
    return removed.length === added.length && pair ? [pair] : removed;
  }
  const isPlaced = (step: Step) => places.has(step);
  const beside = [
    steps.slice(0, index).findLast(isPlaced),
    steps.slice(index + 1).find(isPlaced),
  ].filter((step) => step !== undefined);
  // A line at the same level tells most, then one that is written as the file has it.
  const written = (step: Step) => indentOf(step.text);
  const level = beside.filter((step) => written(step) === indentOf(steps[index]?.text ?? ""));
  const exact = beside.filter(
    (step) => written(step) === indentOf(lines[places.get(step) ?? 0] ?? ""),
  );
  return [level, exact, beside].find((some) => some.length > 0) ?? [];
}
