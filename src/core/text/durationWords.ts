import type { Translate } from "./translator.js";

/** Formats a duration for a person, as in `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationWords(ms: number, t: Translate): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return t("{0} s", seconds);
  return minutes < 60
    ? t("{0} min {1} s", minutes, seconds % 60)
    : t("{0, number} h {1} min", Math.floor(minutes / 60), minutes % 60);
}

/** Formats a duration that may be short, as in `0.4 s`; from ten seconds on as {@link durationWords} does. */
export function shortDurationWords(ms: number, t: Translate): string {
  const tenths = Math.round(Math.max(0, ms) / 100);
  if (tenths > 99) return durationWords(ms, t);
  return tenths % 10 === 0 ? t("{0, number}.0 s", tenths / 10) : t("{0, number} s", tenths / 10);
}
