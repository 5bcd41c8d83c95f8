/**
 * A moment to come, as people name one: `07:00` is the next one, local time; `2026-01-31T07:00` is
 * that one. `undefined` for what names none, or one that is over.
 */
export function momentNamed(text: string, now: Date): Date | undefined {
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
