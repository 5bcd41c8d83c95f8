import { isFence } from "./fence.js";
import type { ReadDiff } from "./fileChanges.js";
import { isBlocksStart, readBlocks } from "./searchReplaceBlocks.js";
import { isUnifiedStart, readUnifiedDiff } from "./unifiedPatch.js";
import { isV4aStart, readV4aPatch } from "./v4aPatch.js";

interface Form {
  readonly isStart: (lines: readonly string[], at: number) => boolean;
  readonly read: (lines: readonly string[]) => ReadDiff;
  /** Whether its last line does not tell where it ends, so that a fence would be read as a part of it. */
  readonly isOpen: boolean;
}

/** The forms of diffs, the form of each told by the first line that can only be its own. */
const forms: readonly Form[] = [
  { isStart: isBlocksStart, read: readBlocks, isOpen: false },
  { isStart: isV4aStart, read: readV4aPatch, isOpen: true },
  { isStart: isUnifiedStart, read: readUnifiedDiff, isOpen: true },
];

/**
 * Reads a diff in any form that models write: SEARCH/REPLACE blocks, a patch that begins with
 * `*** Begin Patch`, or a unified diff. A fence around it is taken away.
 */
export function readDiff(diff: string): ReadDiff {
  const all = diff.replace(/\r\n/g, "\n").split("\n");
  for (const [at] of all.entries()) {
    const form = forms.find(({ isStart }) => isStart(all, at));
    if (!form) continue;
    const read = form.read(form.isOpen ? withoutFence(all, at, form) : all);
    if ("problem" in read) return read;
    return read.changes.some(({ blocks }) => blocks.length > 0)
      ? read
      : { problem: "It changes nothing." };
  }
  return { problem: "It has no SEARCH/REPLACE block, and is no patch." };
}

/** Removes the end of a fence that began before the diff, and the words behind it; not if more of a diff follows. */
function withoutFence(lines: readonly string[], start: number, form: Form): readonly string[] {
  const end = lines.findLastIndex((line) => line.startsWith("```"));
  const isFenced = end > start && lines.slice(0, start).some(isFence);
  const hasMore = lines.some((_, at) => at > end && form.isStart(lines, at));
  return isFenced && !hasMore ? lines.slice(0, end) : lines;
}
