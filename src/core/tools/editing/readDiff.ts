import { isFence } from "./fence.js";
import type { ReadDiff } from "./fileChanges.js";
import { isBlocksStart, readBlocks } from "./searchReplaceBlocks.js";
import { isUnifiedStart, readUnifiedDiff } from "./unifiedPatch.js";
import { isV4aStart, readV4aPatch } from "./v4aPatch.js";

/** The forms of diffs, the form of each told by the first line that can only be its own. */
const forms = [
  { isStart: isBlocksStart, read: readBlocks },
  { isStart: isV4aStart, read: readV4aPatch },
  { isStart: isUnifiedStart, read: readUnifiedDiff },
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
    const isFenced = all.slice(0, at).some(isFence);
    const last = all.findLastIndex(isFence);
    const read = form.read(isFenced && last > at ? all.slice(0, last) : all);
    if ("problem" in read) return read;
    return read.changes.some(({ blocks }) => blocks.length > 0)
      ? read
      : { problem: "It changes nothing." };
  }
  return { problem: "It has no SEARCH/REPLACE block, and is no patch." };
}
