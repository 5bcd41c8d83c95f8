import { type ChangeObject, diffArrays } from "diff";

/**
 * The most differing lines that are compared; the time for it grows with the square of their
 * number.
 */
const mostEdits = 4000;

/**
 * Compares two lists of lines. If almost everything differs, all of it counts as replaced, because
 * a finer comparison would take too long.
 */
export function linesCompared(
  search: readonly string[],
  replace: readonly string[],
): Pick<ChangeObject<string[]>, "added" | "removed" | "count" | "value">[] {
  const [old, now] = [[...search], [...replace]];
  return (
    diffArrays(old, now, { maxEditLength: mostEdits }) ?? [
      { removed: true, added: false, count: old.length, value: old },
      { removed: false, added: true, count: now.length, value: now },
    ]
  );
}
