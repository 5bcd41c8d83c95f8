/** Time units, from the longest to the shortest. Weeks begin on Monday. */
export const timeUnits = ["year", "quarter", "month", "week", "day", "hour"] as const;
export type TimeUnit = (typeof timeUnits)[number];

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Returns the start of the unit that contains a moment; both are milliseconds since the epoch, UTC.
 */
export function startOf(ms: number, unit: TimeUnit): number {
  const date = new Date(ms);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case "year":
      return Date.UTC(year, 0);
    case "quarter":
      return Date.UTC(year, month - (month % 3));
    case "month":
      return Date.UTC(year, month);
    case "week": {
      const today = Math.floor(ms / day);
      // The first day of the epoch was a Thursday.
      return (today - ((((today + 3) % 7) + 7) % 7)) * day;
    }
    case "day":
      return Math.floor(ms / day) * day;
    case "hour":
      return Math.floor(ms / hour) * hour;
  }
}

/** Returns the start of the next unit. */
export function nextUnit(start: number, unit: TimeUnit): number {
  // No unit lasts longer than this, nor is shorter than half of it.
  const longest = { year: 366, quarter: 92, month: 31, week: 7, day: 1, hour: 1 / 24 }[unit];
  return startOf(start + longest * day, unit);
}

/**
 * Returns the longest unit that begins at each of the moments; `undefined` if they are finer than
 * hours.
 */
export function unitOf(moments: readonly number[]): TimeUnit | undefined {
  // Days that are all Mondays, or months that all begin a quarter, stay days and months.
  const units = timeUnits.filter((unit) => unit !== "week" && unit !== "quarter");
  return units.find((unit) => moments.every((ms) => startOf(ms, unit) === ms));
}

/** Formats a moment as precisely as its unit; without a unit, to the second. */
export function timeText(ms: number, unit: TimeUnit | undefined, language: string): string {
  const date = new Date(ms);
  if (unit === "quarter")
    return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  const shown: Record<Exclude<TimeUnit, "quarter"> | "moment", Intl.DateTimeFormatOptions> = {
    year: { year: "numeric" },
    month: { year: "numeric", month: "short" },
    week: { dateStyle: "medium" },
    day: { dateStyle: "medium" },
    hour: { dateStyle: "medium", timeStyle: "short" },
    moment: { dateStyle: "medium", timeStyle: "medium" },
  };
  return new Intl.DateTimeFormat(language, { ...shown[unit ?? "moment"], timeZone: "UTC" }).format(
    date,
  );
}
