import { UserError } from "../errors.js";
import type { ChartChannel, ChartRequest } from "./chartRequest.js";
import { isMissing, quoted, readNumbers, readTime } from "./readCells.js";
import type { ChartCell, ChartTable } from "./readTable.js";
import { startOf, type TimeUnit, timeText, unitOf } from "./timeUnits.js";

export const channelNames = ["x", "y", "color"] as const;
export type ChannelName = (typeof channelNames)[number];

/** A channel of the request with the values of its column. */
export interface ReadChannel {
  readonly name: ChannelName;
  readonly asked: ChartChannel;
  readonly title: string;
  readonly values: readonly (number | string | undefined)[];
  /** The width of a bin, if the values are put into bins. */
  readonly step?: number;
  /** The time unit of the values; absent if they are not times, or are finer than an hour. */
  readonly unit?: TimeUnit | undefined;
}

/**
 * Reads the column that a channel of a request names, as the channel's type says.
 *
 * @throws a {@link UserError} when there is no such column, or when a cell is not of that type
 */
export function readChannel(
  name: ChannelName,
  asked: ChartChannel,
  table: ChartTable,
  { decimal }: ChartRequest,
): ReadChannel {
  const { type, aggregate } = asked;
  const field = asked.field ?? undefined;
  const title = asked.title ?? titleOf(asked);
  if (field === undefined) return { name, asked, title, values: table.rows.map(() => 1) };
  const at = table.columns.indexOf(field);
  if (at < 0) {
    const there = table.columns.map((column) => JSON.stringify(column)).join(", ");
    throw new UserError(
      "columnUnknown",
      "There is no column {column}. The columns are {columns}.",
      { column: JSON.stringify(field), columns: there.slice(0, 1000) },
    );
  }
  const cells = table.rows.map((row) => row[at] ?? null);
  if (aggregate === "count") {
    return { name, asked, title, values: cells.map((cell) => (isMissing(cell) ? undefined : 1)) };
  }
  if (type === "temporal") return { name, asked, title, ...momentsOf(cells, asked) };
  if (type !== "quantitative") {
    const values = cells.map((cell) => (isMissing(cell) ? undefined : categoryOf(cell)));
    return { name, asked, title, values };
  }
  const numbers = readNumbers(cells, field, decimal ?? undefined);
  if (asked.bin !== true) return { name, asked, title, values: numbers };
  const step = binStep(numbers.filter((value) => value !== undefined));
  const values = numbers.map((value) => (value === undefined ? value : binOf(value, step)));
  return { name, asked, title, values, step };
}

function titleOf({ field, aggregate }: ChartChannel): string {
  const words = {
    count: "Count",
    sum: "Sum",
    mean: "Mean",
    median: "Median",
    min: "Least",
    max: "Most",
  };
  if (!aggregate) return field ?? "";
  return field ? `${words[aggregate]} of ${field}` : words[aggregate];
}

/** Returns a cell's text on one line, cut to 120 characters, which is as much as an axis can show. */
function categoryOf(cell: ChartCell): string {
  const text = String(cell).replace(/\s+/g, " ").trim();
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

function momentsOf(cells: readonly ChartCell[], { field, unit }: ChartChannel) {
  const moments = cells.map((cell, row) => {
    if (isMissing(cell)) return undefined;
    const ms = readTime(cell);
    if (ms !== undefined) return unit ? startOf(ms, unit) : ms;
    throw new UserError(
      "notTemporal",
      "{column} is to be temporal, but {cell}. Write dates as in 2025-03-31 or 2025-03-31T14:00, or choose ordinal.",
      { column: JSON.stringify(field), cell: quoted(row, cell) },
    );
  });
  return { values: moments, unit: unit ?? unitOf(moments.filter((ms) => ms !== undefined)) };
}

/** Returns a round bin width that makes about ten to twenty bins; 1 if the values do not differ. */
function binStep(values: readonly number[]): number {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) [least, most] = [Math.min(least, value), Math.max(most, value)];
  const range = most - least;
  if (!(range > 0)) return 1;
  const exact = range / 15;
  const power = 10 ** Math.floor(Math.log10(exact));
  const step = [1, 2, 5, 10].find((one) => one * power >= exact * 0.75) ?? 10;
  return round(step * power);
}

/** Returns the lower bound of the bin that contains a value. */
function binOf(value: number, step: number): number {
  return round(Math.floor(round(value / step)) * step);
}

function round(value: number): number {
  return Number(value.toPrecision(12));
}

/** Formats a value of a channel for people, in their language. */
export function channelText(
  { asked, unit, step }: ReadChannel,
  value: number | string,
  language: string,
): string {
  return asked.type === "temporal" && typeof value === "number"
    ? timeText(value, unit, language)
    : valueText(value, step, language);
}

/**
 * Formats a value for people, in their language.
 *
 * @param step the width of the bin that begins with the value, if there is one
 */
function valueText(value: number | string, step: number | undefined, language: string): string {
  if (typeof value === "string") return value;
  const size = Math.abs(value);
  const format = new Intl.NumberFormat(
    language,
    size >= 1e15 || (size !== 0 && size < 1e-4)
      ? { notation: "scientific", maximumSignificantDigits: 4 }
      : size >= 1000
        ? { maximumFractionDigits: 2 }
        : { maximumSignificantDigits: 6 },
  );
  const text = (shown: number) => withMinus(format.format(shown));
  if (step === undefined) return text(value);
  return `${text(value)}–${text(Number((value + step).toPrecision(12)))}`;
}

/** Formats a number briefly enough for the label of a bar. */
export function shortText(value: number, language: string): string {
  const size = Math.abs(value);
  const format = new Intl.NumberFormat(
    language,
    size >= 1e6
      ? { notation: "compact", maximumFractionDigits: 1 }
      : size >= 1000
        ? { maximumFractionDigits: 0 }
        : { maximumSignificantDigits: 4 },
  );
  return withMinus(format.format(value));
}

/** Replaces a leading hyphen by a minus sign: a hyphen is too short to be seen before a number. */
function withMinus(text: string): string {
  return text.replace(/^-/, "\u2212");
}
