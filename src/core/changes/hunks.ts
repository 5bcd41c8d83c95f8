import { diffArrays } from "diff";
import { joinLines, splitLines } from "../tools/lines.js";
import { decodeText, encodeText } from "../tools/textFile.js";

/** Files that differ in more lines are kept or reverted as a whole. */
const maxEditLength = 5_000;

/** Lines that were there, and what is there instead. Lines have their line breaks. */
export interface Hunk {
  /** 0-based: the first of the lines, or the one that they were before. */
  readonly beforeStart: number;
  readonly before: readonly string[];
  readonly nowStart: number;
  readonly now: readonly string[];
}

/** `undefined` where files cannot be compared line by line, or one of them does not exist. */
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
 * Whether there is now what was left with some of its hunks taken back, and nothing else: putting back
 * what was before takes nothing from anybody then.
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

/** What there is now, with the lines of a hunk as they were. */
export function withoutHunk(now: Uint8Array, hunk: Hunk): Uint8Array {
  return replaced(now, hunk.nowStart, hunk.now.length, hunk.before);
}

/** What there was, with the lines of a hunk as they are now. */
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
