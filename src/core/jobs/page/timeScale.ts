import type { Clock24 } from "../facts/clock24.js";

/** A time span, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A span of work, and where it is drawn: from 0, the left end, to 1. */
interface Stretch extends Span {
  readonly left: number;
  readonly right: number;
}

/** Idle time is cut out if it is longer than this, and than this share of the time of work. */
const cut = { ms: 1_200_000, share: 0.12 };
/** The width of a cut, and of all cuts together. */
const cutWidth = { one: 0.025, all: 0.25 };
const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440];
const mostTicks = 8;

/** Maps times to places from 0 to 1. Long idle times are narrow, such as the day between two nights of work. */
export class TimeScale {
  readonly stretches: readonly Stretch[];

  /** @param spans at least one */
  constructor(spans: readonly Span[]) {
    const busy = merged(spans, 0);
    const workMs = busy.reduce((sum, { from, to }) => sum + to - from, 0);
    const joined = merged(busy, Math.max(cut.ms, cut.share * workMs));
    const gapWidth = Math.min(cutWidth.one, cutWidth.all / joined.length);
    // A moment has some width, too.
    const lengths = joined.map(({ from, to }) => Math.max(1_000, to - from));
    const all = lengths.reduce((sum, one) => sum + one, 0);
    const room = 1 - gapWidth * (joined.length - 1);
    let left = 0;
    this.stretches = joined.map(({ from }, at) => {
      const length = lengths[at] ?? 0;
      const right = Math.min(1, left + (length / all) * room);
      const stretch = { from, to: from + length, left, right };
      left = right + gapWidth;
      return stretch;
    });
  }

  /** Returns where a time is drawn, from 0 to 1. */
  at(time: number): number {
    for (const { from, to, left, right } of this.stretches) {
      if (time <= from) return left;
      if (time < to) return left + ((time - from) / (to - from)) * (right - left);
      if (time === to) return right;
    }
    return 1;
  }

  /** Returns round times with their places, few enough that their labels have room. */
  ticks(clock: Clock24): { readonly at: number; readonly time: number }[] {
    const all = this.stretches.reduce((sum, { from, to }) => sum + to - from, 0);
    const step = (minutes.find((one) => all / (one * 60_000) <= mostTicks) ?? 1_440) * 60_000;
    const ticks = this.stretches.flatMap(({ from, to }) => {
      const first = from + ((step - (clock.sinceMidnight(from) % step)) % step);
      const own: number[] = [];
      for (let time = first; time <= to && own.length < 2 * mostTicks; time += step) own.push(time);
      return own.length === 0 && this.stretches.length > 1 ? [from] : own;
    });
    let last = -1;
    return ticks.flatMap((time) => {
      const at = this.at(time);
      // Labels of two stretches would lie upon each other.
      if (at - last < 0.6 / mostTicks) return [];
      last = at;
      return [{ at, time }];
    });
  }
}

/** Returns the spans in order, as one where the time between them is at most `gap`. */
function merged(spans: readonly Span[], gap: number): Span[] {
  const joined: { from: number; to: number }[] = [];
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last !== undefined && from - last.to <= gap) last.to = Math.max(last.to, to);
    else joined.push({ from, to });
  }
  return joined;
}
