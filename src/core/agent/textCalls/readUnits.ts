import type { WrittenCall } from "./writtenCall.js";

/** One way to read the text at an offset: the calls, and where they end (exclusive). */
export interface Unit {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

/**
 * Yields all ways to read a text, up to its end, as units in a row.
 *
 * @param unit yields the ways to read what begins at an offset
 * @param between what may stand around units besides white space; it may match the empty text, too
 */
export function* readUnits(
  text: string,
  unit: (at: number) => Iterable<Unit>,
  between = /(?:)/,
): Generator<readonly WrittenCall[]> {
  const gap = new RegExp(`(?:\\s|${between.source})*`, "y");
  const skip = (at: number): number => {
    gap.lastIndex = at;
    return at + (gap.exec(text)?.[0].length ?? 0);
  };
  function* from(at: number): Generator<readonly WrittenCall[]> {
    for (const { calls, end } of unit(at)) {
      const next = skip(end);
      if (next === text.length) yield calls;
      else for (const rest of from(next)) yield [...calls, ...rest];
    }
  }
  yield* from(skip(0));
}

/** Matches a pattern at exactly this offset. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}y`);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
