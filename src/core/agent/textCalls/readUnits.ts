import type { WrittenCall } from "./writtenCall.js";

/** One reading of what begins at a place: the calls, and where they end (exclusive). */
export interface Unit {
  readonly calls: readonly WrittenCall[];
  readonly end: number;
}

/**
 * Reads a text as one unit after the other, up to its end.
 *
 * @param unit the readings of what begins at a place
 * @param between what may stand between them and after the last, besides white space; matches the
 *   empty text too
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

/** Matches at this very place. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}y`);
  sticky.lastIndex = at;
  return sticky.exec(text);
}
