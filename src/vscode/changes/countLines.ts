import { hunksOf } from "../../core/changes/hunks.js";
import type { ReviewedFile } from "../../core/changes/taskChanges.js";

/** The most files whose lines are counted. */
const mostCounted = 50;
const nothing = new Uint8Array();

/** Returns the number of files, and of their added and removed lines as far as they have lines. */
export function countLines(files: readonly ReviewedFile[]) {
  let [added, removed] = [0, 0];
  for (const { before = nothing, now = nothing, problem } of files.slice(0, mostCounted)) {
    if (problem !== undefined) continue;
    for (const hunk of hunksOf(before, now) ?? []) {
      added += hunk.now.length;
      removed += hunk.before.length;
    }
  }
  return { files: files.length, added, removed };
}
