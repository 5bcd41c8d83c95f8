export interface WindowRange {
  /** Index of the first item to draw. */
  readonly start: number;
  /** Index after the last item to draw. */
  readonly end: number;
}

/** Returns where each item begins, in pixels; one more entry at the end is the whole height. */
export function offsetsOf(heights: Iterable<number>): number[] {
  const offsets = [0];
  let offset = 0;
  for (const height of heights) offsets.push((offset += height));
  return offsets;
}

/** Returns the range of the items that touch the stretch from `top` to `bottom`, in pixels. */
export function windowRange(offsets: readonly number[], top: number, bottom: number): WindowRange {
  const count = offsets.length - 1;
  const start = Math.min(count, Math.max(0, firstAbove(offsets, top) - 1));
  const end = Math.min(count, Math.max(start, firstAbove(offsets, bottom - 1)));
  return { start, end };
}

/** Index of the first offset greater than `position`. */
function firstAbove(offsets: readonly number[], position: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? Infinity) > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
