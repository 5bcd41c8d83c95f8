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
