/** Formats a duration that may be short, as in `0.4 s`; from ten seconds on as {@link durationText} does. */
export function shortDurationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  return seconds < 9.95 ? `${seconds.toFixed(1)} s` : durationText(ms);
}

/** Formats a duration for people, as in `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (minutes === 0) return `${seconds} s`;
  return hours === 0
    ? `${minutes} min ${seconds % 60} s`
    : `${hours.toLocaleString("en-US")} h ${minutes % 60} min`;
}
