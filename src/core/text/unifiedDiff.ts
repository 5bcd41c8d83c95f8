import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";

/** The most edits for a line-by-line comparison: with more, it costs too much for what it shows. */
const maxEditLength = 800;

/**
 * Returns what `git diff` would show, without its first line; `undefined` stands for "no such
 * file".
 */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string | undefined,
): string {
  const oldName = before === undefined ? "/dev/null" : `a/${path}`;
  const newName = after === undefined ? "/dev/null" : `b/${path}`;
  const old = before ?? "";
  const now = after ?? "";
  const patch =
    structuredPatch(oldName, newName, old, now, undefined, undefined, {
      context: 3,
      maxEditLength,
    }) ?? wholePatch(oldName, newName, old, now);
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** Returns a patch that removes all old lines and adds all new ones. */
function wholePatch(oldName: string, newName: string, old: string, after: string) {
  const removed = structuredPatch(oldName, newName, old, "", undefined, undefined, { context: 0 });
  const added = structuredPatch(oldName, newName, "", after, undefined, undefined, { context: 0 });
  const [out] = removed.hunks;
  const [into] = added.hunks;
  if (!out || !into) return added.hunks.length > 0 ? added : removed;
  const hunk = {
    oldStart: out.oldStart,
    oldLines: out.oldLines,
    newStart: into.newStart,
    newLines: into.newLines,
    lines: [...out.lines, ...into.lines],
  };
  return { ...removed, hunks: [hunk] };
}
