/** Formats a duration that may be short, as in `0.4 s`; from ten seconds on as {@link durationText} does. */
export function shortDurationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : durationText(ms);
}

/** Formats a duration for people, as in `45 s`, `3 min 20 s`, `2 h 5 min`; {@link readDuration} reads it. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  return hours === 0
    ? `${minutes} min ${seconds % 60} s`
    : `${hours.toLocaleString("en-US")} h ${minutes % 60} min`;
}

/**
 * Reads a duration as {@link durationText} writes it. Returns milliseconds, which are exact to the second below an hour,
 * and to the minute above; `undefined` for any other text.
 */
export function readDuration(text: string): number | undefined {
  const [, hours, full, minutes, seconds] =
    /^(?:(\d[\d,]*) h (\d\d?) min|(?:(\d\d?) min )?(\d\d?) s)$/.exec(text) ?? [];
  if (hours !== undefined) {
    return (Number(hours.replaceAll(",", "")) * 60 + Number(full)) * 60_000;
  }
  return seconds === undefined ? undefined : (Number(minutes ?? 0) * 60 + Number(seconds)) * 1000;
}
