import { UserError } from "../errors.js";
import type { ChartCell } from "./readTable.js";

/**
 * Returns whether a cell has no value, however tables write that (`-`, `n/a`, `null` and the like).
 */
export function isMissing(cell: ChartCell): boolean {
  if (cell === null) return true;
  return typeof cell === "string" && /^(|[-–—…?]|n\/?a|nan|null|none|k\. ?a\.)$/i.test(cell.trim());
}

/**
 * Describes a cell for a message by its row, counted from 1 without the header, and its value.
 *
 * @param row 0-based
 */
export function quoted(row: number, cell: ChartCell): string {
  const text = JSON.stringify(cell);
  return `row ${row + 1} has ${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}

type DecimalSign = "." | ",";

/**
 * Reads the numbers of a column, with `undefined` for missing values. Currency signs, percent signs
 * and thousands separators are skipped.
 *
 * @param decimal the decimal sign, if the request names it; otherwise it is inferred from the whole
 *   column
 * @throws a {@link UserError} for a cell that is not a number, and when the meaning of a comma or
 *   point is ambiguous
 */
export function readNumbers(
  cells: readonly ChartCell[],
  column: string,
  decimal?: DecimalSign,
): (number | undefined)[] {
  const texts = cells.map((cell) => (typeof cell === "string" ? bare(cell) : ""));
  for (const [row, text] of texts.entries()) {
    const cell = cells[row] ?? null;
    if (isMissing(cell) || typeof cell === "number") continue;
    if (/^[+-]?(\d[\d.,]*|[.,]\d+)(e[+-]?\d+)?$/i.test(text)) continue;
    throw new UserError(
      "notQuantitative",
      "{column} is to be quantitative, but {cell}. Choose another type, or another column.",
      { column: JSON.stringify(column), cell: quoted(row, cell) },
    );
  }
  const sign = decimal ?? signOf(texts, column);
  const shape =
    sign === "."
      ? /^[+-]?(\d{1,3}(,\d{3})+|\d*)(\.\d*)?(e[+-]?\d+)?$/i
      : /^[+-]?(\d{1,3}(\.\d{3})+|\d*)(,\d*)?(e[+-]?\d+)?$/i;
  return cells.map((cell, row) => {
    if (typeof cell === "number") return cell;
    if (isMissing(cell)) return undefined;
    const text = texts[row] ?? "";
    if (!shape.test(text)) {
      throw new UserError(
        "notANumber",
        'In {column}, {cell}, which is not a number with "{sign}" before its decimals. Give the right sign with "decimal", or write the numbers plainly, as in 1234.5.',
        { column: JSON.stringify(column), cell: quoted(row, cell), sign },
      );
    }
    const grouping = sign === "." ? /,/g : /\./g;
    return Number(text.replace(grouping, "").replace(",", "."));
  });
}

/**
 * Strips emphasis, currency and percent signs and spaces between thousands, and makes a minus sign
 * plain.
 */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(\*\*|__|[*_`])(.*)\1$/, "$2")
    .replace(/^[\u2212\u2013](?=[\d.,])/, "-")
    .replace(/^([+-]?)\s*[$€£¥]\s*/, "$1")
    .replace(/(?<!\s)\s*[%$€£¥]$/, "")
    .replace(/(?<=\d)[\s'\u2019](?=\d{3}(?!\d))/g, "");
}

/**
 * Infers the decimal sign of a column from the numbers that show it; a point if none needs it.
 *
 * @throws a {@link UserError} when the numbers disagree, or when one is ambiguous and no other
 *   settles it
 */
function signOf(texts: readonly string[], column: string): DecimalSign {
  const shown = new Map<DecimalSign, number>();
  let unclear: number | undefined;
  for (const [row, text] of texts.entries()) {
    const sign = shownBy(text);
    if (sign === "unclear") unclear ??= row;
    else if (sign !== undefined && !shown.has(sign)) shown.set(sign, row);
  }
  const [first, second] = shown.keys();
  if (second !== undefined || (first === undefined && unclear !== undefined)) {
    const row = second === undefined ? unclear : shown.get(second);
    throw new UserError(
      "numbersAmbiguous",
      'The numbers of {column} can be read in two ways: {cell}. Say with "decimal" whether their decimals begin with "." or ",".',
      { column: JSON.stringify(column), cell: quoted(row ?? 0, texts[row ?? 0] ?? "") },
    );
  }
  return first ?? ".";
}

function shownBy(text: string): DecimalSign | "unclear" | undefined {
  const [point, comma] = [text.lastIndexOf("."), text.lastIndexOf(",")];
  if (point >= 0 && comma >= 0) return point > comma ? "." : ",";
  if (point < 0 && comma < 0) return undefined;
  const sign = point >= 0 ? "." : ",";
  if (text.split(sign).length > 2) return sign === "." ? "," : ".";
  if (!/^[+-]?[1-9]\d{0,2}[.,]\d{3}$/.test(text)) return sign;
  // 1.234 is what programs write for a little more than 1; 1,234 is written for both.
  return sign === "." ? undefined : "unclear";
}

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
