/**
 * Parses a future moment: `07:00` is the next time that the local clock shows it, `2026-01-31T07:00` is
 * that date and time. Returns `undefined` for other texts and for moments that are over.
 */
export function parseMoment(text: string, now: Date): Date | undefined {
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60) {
    const time = new Date(now);
    time.setHours(Number(hours), Number(minutes), 0, 0);
    if (time <= now) time.setDate(time.getDate() + 1);
    return time;
  }
  const time = /^\d{4}-\d\d-\d\d/.test(text.trim()) ? new Date(text.trim()) : new Date(NaN);
  return time > now ? time : undefined;
}
