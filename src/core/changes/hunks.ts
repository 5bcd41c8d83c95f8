import { diffArrays } from "diff";
import { joinLines, splitLines } from "../text/lines.js";
import { decodeText, encodeText, formatSize } from "../text/textFile.js";
import { unifiedDiff } from "../text/unifiedDiff.js";

/** Returns a file's changes as `git diff` would show them; `undefined` stands for "no such file". */
export function changeDiff(
  path: string,
  before: Uint8Array | undefined,
  now: Uint8Array | undefined,
): string {
  const texts = [before, now].map((bytes) => bytes && decodeText(bytes)?.text);
  const isBinary = (index: number, bytes?: Uint8Array) => bytes && texts[index] === undefined;
  if (isBinary(0, before) || isBinary(1, now)) {
    const size = (bytes?: Uint8Array) => (bytes ? formatSize(bytes.length) : "nothing");
    return `--- a/${path}\n+++ b/${path}\nBinary file: ${size(before)} became ${size(now)}.\n`;
  }
  return unifiedDiff(path, texts[0], texts[1]);
}

/** Files that differ in more lines are kept or reverted as a whole. */
const maxEditLength = 5_000;

/** Old lines and the new ones in their place. Lines include their line breaks. */
export interface Hunk {
  /** 0-based index of the first old line or, if there is none, of the line that follows. */
  readonly beforeStart: number;
  readonly before: readonly string[];
  readonly nowStart: number;
  readonly now: readonly string[];
}

/**
 * Returns the hunks between two versions of a file; `undefined` if they cannot be compared line by line, or
 * one of them does not exist.
 */
export function hunksOf(
  before: Uint8Array | undefined,
  now: Uint8Array | undefined,
): readonly Hunk[] | undefined {
  const old = before && decodeText(before);
  const text = now && decodeText(now);
  if (!text || old?.encoding !== text.encoding) return undefined;
  const parts = diffArrays(rawLines(old.text), rawLines(text.text), { maxEditLength });
  if (!parts) return undefined;
  const hunks: Hunk[] = [];
  let [beforeAt, nowAt] = [0, 0];
  let open: Hunk | undefined;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      open = undefined;
      beforeAt += part.count;
      nowAt += part.count;
      continue;
    }
    const last = open;
    open = {
      beforeStart: last?.beforeStart ?? beforeAt,
      before: [...(last?.before ?? []), ...(part.removed ? part.value : [])],
      nowStart: last?.nowStart ?? nowAt,
      now: [...(last?.now ?? []), ...(part.added ? part.value : [])],
    };
    if (last) hunks.pop();
    hunks.push(open);
    if (part.removed) beforeAt += part.count;
    else nowAt += part.count;
  }
  return hunks;
}

/**
 * Returns whether a file is now what the task left, with some of its hunks reverted and nothing else changed.
 * Restoring the file then loses nobody else's changes.
 */
export function isPartOf(
  before: Uint8Array | undefined,
  left: Uint8Array | undefined,
  now: Uint8Array | undefined,
): boolean {
  const key = ({ beforeStart, before: old, now: lines }: Hunk) =>
    JSON.stringify([beforeStart, old, lines]);
  const all = new Set(hunksOf(before, left)?.map(key));
  return hunksOf(before, now)?.every((hunk) => all.has(key(hunk))) ?? false;
}

/** Returns the current content with a hunk reverted. */
export function withoutHunk(now: Uint8Array, hunk: Hunk): Uint8Array {
  return replaced(now, hunk.nowStart, hunk.now.length, hunk.before);
}

/** Returns the old content with a hunk applied. */
export function withHunk(before: Uint8Array, hunk: Hunk): Uint8Array {
  return replaced(before, hunk.beforeStart, hunk.before.length, hunk.now);
}

function replaced(
  bytes: Uint8Array,
  start: number,
  count: number,
  lines: readonly string[],
): Uint8Array {
  const decoded = decodeText(bytes);
  if (!decoded) throw new Error("a hunk of a file that is no text");
  const all = rawLines(decoded.text).toSpliced(start, count, ...lines);
  return encodeText(all.join(""), decoded.encoding);
}

function rawLines(text: string): string[] {
  return splitLines(text).map((line) => joinLines([line]));
}
