import type { ChartCell } from "./chartTable.js";

/**
 * Reads a moment as milliseconds since the epoch; `undefined` if the cell is not a moment or is
 * ambiguous (`3/4/2025`). A text without a time zone is taken as UTC, so that it is shown as it was
 * written.
 */
export function readTime(cell: ChartCell): number | undefined {
  if (typeof cell === "number") {
    if (Number.isInteger(cell) && cell >= 1000 && cell < 3000) return Date.UTC(cell, 0);
    return Number.isInteger(cell) && Math.abs(cell) > 1e11 && Math.abs(cell) < 8e15
      ? cell
      : undefined;
  }
  if (typeof cell !== "string") return undefined;
  const text = cell.trim();
  const quarter = /^(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[- /]?(\d{4}))$/i.exec(text);
  if (quarter) {
    const [, year, of, ofLast, last] = quarter;
    return Date.UTC(Number(year ?? last), (Number(of ?? ofLast) - 1) * 3);
  }
  const iso =
    /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?)?)?$/i.exec(
      text,
    );
  if (iso) {
    const [, year, month, date, hour, minute, second, part = "0", zone = "Z"] = iso;
    const ms = Number(part.padEnd(3, "0").slice(0, 3));
    const at = moment(year, month, date, hour, minute, second);
    return at === undefined ? undefined : at + ms - offsetOf(zone);
  }
  const german =
    /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?:,?\s(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/.exec(text);
  if (!german) return undefined;
  const [, date, month, year, hour, minute, second] = german;
  return moment(year, month, date, hour, minute, second);
}

/**
 * Returns the moment of digits given from the year to the second; `undefined` for a date that does
 * not exist, such as the 30th of February.
 */
function moment(...parts: readonly (string | undefined)[]): number | undefined {
  const given = parts.filter((part) => part !== undefined).map(Number);
  const [year = 0, month = 1, date = 1, hour = 0, minute = 0, second = 0] = given;
  const at = new Date(0);
  // `Date.UTC` takes years below 100 for ones of the last century.
  at.setUTCFullYear(year, month - 1, date);
  if (at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return at.setUTCHours(hour, minute, second);
}

/** Returns the offset of a time zone such as `Z`, `+02:00` or `-0330` in milliseconds. */
function offsetOf(zone: string): number {
  const [, sign, hours = "0", minutes = "0"] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  const ms = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === "-" ? -ms : ms;
}
