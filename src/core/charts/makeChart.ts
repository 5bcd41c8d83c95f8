import { UserError } from "../errors.js";
import { type Chart, type ChartField, type ChartPoint, showsAmounts } from "./chart.js";
import { type Aggregate, chartProblem, isMeasure, type ChartRequest } from "./chartRequest.js";
import {
  type ChannelName,
  channelNames,
  channelText,
  type ReadChannel,
  readChannel,
  shortText,
} from "./readChannel.js";
import type { ChartTable } from "./readTable.js";
import { nextUnit, type TimeUnit, timeText } from "./timeUnits.js";

const most = { points: 5000, places: 100, moments: 400, slices: 8, colors: 8 };

/** The values of a row by channel; `undefined` where a channel has none. */
type ChartRow = Readonly<Partial<Record<ChannelName, number | string>>>;

/** A request with its rows and channels, before it is a chart. */
interface RequestedRows {
  readonly request: ChartRequest;
  readonly rows: readonly ChartRow[];
  readonly channels: readonly ReadChannel[];
  /**
   * The channel with the measured number, such as the height of a bar or the color of a heat map's
   * cell.
   */
  readonly measured: ChannelName;
  readonly language: string;
}

/** The fields that the axes and the colors of a chart show. */
type ChartFields = Pick<Chart, ChannelName>;

/**
 * Makes the requested chart from a table: groups, sorts and checks its rows.
 *
 * @returns the chart, and in `left` the number of rows that are left out because a value is missing
 * @throws a {@link UserError} that tells the model what to change
 */
export function makeChart(
  request: ChartRequest,
  table: ChartTable,
): { readonly chart: Chart; readonly left: number } {
  const language = languageOf(request.language);
  const problem = chartProblem(request);
  if (problem !== undefined) throw problem;
  const channels = channelNames.flatMap((name) => {
    const asked = request[name];
    return asked ? [readChannel(name, asked, table, request)] : [];
  });
  const read = table.rows.map((_, at): ChartRow => {
    return Object.fromEntries(channels.map(({ name, values }) => [name, values[at]]));
  });
  const whole = read.filter((row) => channels.every(({ name }) => row[name] !== undefined));
  if (whole.length === 0)
    throw new UserError(
      "chartEmpty",
      "No row has a value in every column of the chart. Choose columns that have values in the same rows.",
    );
  const measured = measureOf(request);
  const aggregate = request[measured]?.aggregate;
  const rows = aggregate ? groupPoints(whole, measured, aggregate) : whole;
  const requested: RequestedRows = { request, rows, channels, measured, language };
  if (!aggregate && request.mark !== "point") checkPlaces(requested);
  if (rows.length > most.points) {
    throw new UserError(
      "tooManyPoints",
      'The chart has {points} points; {most} is the most. Aggregate them, as with "aggregate": "mean" and a "unit" or "bin", or draw a part.',
      { points: rows.length, most: most.points },
    );
  }
  const fields = fieldsOf(requested);
  checkSizes(requested, fields);
  const { mark, stack } = request;
  const points = pointsOf(requested, fields);
  const chart: Chart = { mark, ...fields, stack: stack ?? "stacked", language, points };
  const isTime = request.x.type === "temporal";
  return { chart: isTime ? chart : lyingBars(chart), left: table.rows.length - whole.length };
}

/** @throws a {@link UserError} for a tag that no language has */
function languageOf(tag: string | null | undefined): string {
  try {
    return Intl.getCanonicalLocales(tag ?? "en")[0] ?? "en";
  } catch {
    throw new UserError(
      "languageUnknown",
      '{tag} is not a language. Name one as in "en" or "de".',
      { tag: JSON.stringify(tag) },
    );
  }
}

/** Returns the channel with the measured number: the aggregated one, or the one that a mark measures by. */
function measureOf(request: ChartRequest): ChannelName {
  const { mark, y } = request;
  const aggregated = channelNames.find((name) => request[name]?.aggregate);
  if (aggregated) return aggregated;
  if (mark === "heatmap") return "color";
  return mark === "bar" && !isMeasure(y) ? "x" : "y";
}

/**
 * Merges rows that agree in every channel except the measured one, whose values are aggregated. The
 * merged rows are in the order in which they first appear.
 */
function groupPoints(
  rows: readonly ChartRow[],
  measured: ChannelName,
  aggregate: Aggregate,
): ChartRow[] {
  const groups = new Map<string, { first: ChartRow; values: number[] }>();
  for (const row of rows) {
    const key = keyOf(row, measured);
    const group = groups.get(key) ?? { first: row, values: [] };
    groups.set(key, group);
    const value = row[measured];
    group.values.push(typeof value === "number" ? value : 1);
  }
  return [...groups.values()].map(({ first, values }) => ({
    ...first,
    [measured]: aggregated(values, aggregate),
  }));
}

/**
 * Returns a key of all values of a row except the measured one: rows with the same key lie at the
 * same place.
 */
function keyOf(row: ChartRow, measured: ChannelName): string {
  const others = channelNames.filter((name) => name !== measured);
  return JSON.stringify(others.map((name) => row[name] ?? null));
}

function aggregated(values: readonly number[], aggregate: Aggregate): number {
  switch (aggregate) {
    case "count":
      return values.length;
    case "sum":
      return sum(values);
    case "mean":
      return sum(values) / values.length;
    case "median": {
      const sorted = [...values].sort((a, b) => a - b);
      const middle = (sorted.length - 1) / 2;
      const low = sorted[Math.floor(middle)] ?? 0;
      return (low + (sorted[Math.ceil(middle)] ?? low)) / 2;
    }
    case "min":
      return values.reduce((least, value) => Math.min(least, value));
    case "max":
      return values.reduce((most, value) => Math.max(most, value));
  }
}

/** Returns the sum without the last digits that binary fractions leave: 0.1 + 0.2 is 0.3. */
function sum(values: readonly number[]): number {
  const whole = values.reduce((total, value) => total + value, 0);
  return Number(whole.toPrecision(15));
}

/** @throws a {@link UserError} when two rows lie at the same place, where one would hide the other */
function checkPlaces({ rows, channels, measured }: RequestedRows): void {
  const seen = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row, measured);
    if (seen.has(key)) {
      const place = channels
        .filter(({ name }) => name !== measured)
        .map(({ name, title, asked, unit }) => {
          const value = row[name] ?? "";
          const isTime = asked.type === "temporal" && typeof value === "number";
          return `${title} ${isTime ? timeText(value, unit, "en") : value}`;
        });
      throw new UserError(
        "rowsOverlap",
        'Several rows have {place}, so they would hide one another. Say with "aggregate" how to combine them (sum, mean, …), or tell them apart with color.',
        { place: place.join(", ") },
      );
    }
    seen.add(key);
  }
}

function fieldsOf(requested: RequestedRows): ChartFields {
  const fields = new Map(requested.channels.map((one) => [one.name, fieldOf(one, requested)]));
  const [x, y, color] = [fields.get("x"), fields.get("y"), fields.get("color")];
  if (x === undefined || y === undefined) throw new Error("a chart without axes");
  return color === undefined ? { x, y } : { x, y, color };
}

function fieldOf(channel: ReadChannel, requested: RequestedRows): ChartField {
  const { name, asked, title, unit, step } = channel;
  const { request, rows, measured, language } = requested;
  const isMeasured = name === measured && asked.type === "quantitative";
  if (isMeasured || asked.aggregate) return { kind: "number", title };
  if (asked.type === "quantitative") return { kind: "number", title, step };
  if (asked.type !== "temporal") {
    const values = sorted(channel, requested);
    return { kind: "category", title, ordered: asked.type === "ordinal", values };
  }
  if (!inSteps(name, request)) return { kind: "time", title };
  const values = stepsOf(name, rows, unit).map((ms) => timeText(ms, unit, language));
  return { kind: "category", title, values };
}

/** Returns whether the times of a channel are shown as categories, each as wide as the others. */
function inSteps(name: ChannelName, { mark }: ChartRequest): boolean {
  return name === "color" || mark === "bar" || mark === "heatmap" || mark === "arc";
}

/**
 * Returns the sorted times of a channel. Times without data are included, so that gaps show, except
 * in colors, without a unit, or if there would be more than `most.moments`.
 */
function stepsOf(
  name: ChannelName,
  rows: readonly ChartRow[],
  unit: TimeUnit | undefined,
): number[] {
  const there = [...new Set(rows.map((row) => row[name]))].filter((one) => typeof one === "number");
  there.sort((a, b) => a - b);
  const [first, last] = [there[0] ?? 0, there.at(-1) ?? 0];
  if (unit === undefined || name === "color") return there;
  const all = [];
  for (let at = first; at <= last && all.length <= most.moments; at = nextUnit(at, unit))
    all.push(at);
  return all.length > most.moments ? there : all;
}

/** Returns the categories of a channel, each once, in the order in which they are shown. */
function sorted({ name, asked }: ReadChannel, requested: RequestedRows): string[] {
  const { request, rows, measured, language } = requested;
  const { mark, sort } = request;
  const totals = new Map<string, number>();
  for (const row of rows) {
    const category = String(row[name]);
    const value = row[measured];
    totals.set(category, (totals.get(category) ?? 0) + (typeof value === "number" ? value : 0));
  }
  const categories = [...totals.keys()];
  const byValue = (mark === "bar" && name !== "color") || mark === "arc";
  const order = sort ?? (byValue && asked.type === "nominal" ? "largest_first" : "data");
  if (order === "name") {
    return categories.sort(new Intl.Collator(language, { numeric: true }).compare);
  }
  if (order === "data" || !byValue) return categories;
  const way = order === "largest_first" ? -1 : 1;
  return categories.sort((a, b) => way * ((totals.get(a) ?? 0) - (totals.get(b) ?? 0)));
}

/** @throws a {@link UserError} for a chart that cannot be drawn readably, or that does not match its data */
function checkSizes({ request, rows }: RequestedRows, { x, y, color }: ChartFields): void {
  const { mark, stack } = request;
  const count = (field: ChartField | undefined) =>
    field?.kind === "category" ? field.values.length : 0;
  const slices = mark === "arc";
  const places = Math.max(count(x), count(y));
  if (slices && places > most.slices) {
    throw new UserError(
      "tooManySlices",
      "A pie of {slices} slices cannot be read; {most} is the most. Draw bars, or put the small ones together.",
      { slices: places, most: most.slices },
    );
  }
  if (slices && rows.some((row) => typeof row.y === "number" && row.y < 0)) {
    throw new UserError("negativeSlice", "A slice cannot have a negative size. Draw bars.");
  }
  const parts = color !== undefined && (mark === "area" || stack === "share");
  if (parts && rows.some((row) => isNegative(x, row.x) || isNegative(y, row.y))) {
    throw new UserError(
      "negativePart",
      "Parts of a whole cannot be negative. Draw lines, or bars that are grouped.",
    );
  }
  if (places > most.moments || (places > most.places && mark !== "bar" && mark !== "heatmap")) {
    throw new UserError(
      "tooManyNames",
      '{names} names do not fit on an axis. Keep those that matter, or group them (a "unit" of time, a coarser column).',
      { names: places },
    );
  }
  if (count(color) > most.colors) {
    throw new UserError(
      "tooManyColors",
      "{colors} colors cannot be told apart; {most} is the most. Keep those that matter and put the others together, or leave color out.",
      { colors: count(color), most: most.colors },
    );
  }
}

function isNegative(field: ChartField, value: number | string | undefined): boolean {
  return field.kind === "number" && typeof value === "number" && value < 0;
}

function pointsOf(requested: RequestedRows, fields: ChartFields): ChartPoint[] {
  const { rows, channels, language } = requested;
  const labels = labelsOf(requested);
  return rows.map((row, at) => {
    const shown = (name: ChannelName) => {
      const channel = channels.find((one) => one.name === name);
      const value = row[name] ?? "";
      const text = channel ? channelText(channel, value, language) : "";
      return { text, value: fields[name]?.kind === "category" ? text : value };
    };
    const [x, y, color] = [shown("x"), shown("y"), shown("color")];
    const label = labels?.[at];
    return {
      x: x.value,
      y: y.value,
      ...(fields.color && { color: color.value }),
      texts: { x: x.text, y: y.text, ...(fields.color && { color: color.text }) },
      ...(label !== undefined && { label }),
    };
  });
}

/**
 * Returns the labels of the points: of the slices of a pie their shares, of up to 15 bars without
 * colors or bins their values; `undefined` for other charts.
 */
function labelsOf({ request, rows, measured, language }: RequestedRows): string[] | undefined {
  const { mark, x, y, color } = request;
  const values = rows.map((row) => Number(row[measured]));
  if (mark === "arc") {
    const total = values.reduce((sum, value) => sum + value, 0);
    const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
    return values.map((value) => share.format(total === 0 ? 0 : value / total));
  }
  if (mark !== "bar" || color || x.bin || y.bin || rows.length > 15) return undefined;
  return values.map((value) => shortText(value, language));
}

/**
 * Makes bars horizontal if their names have no room below them. Returns any other chart unchanged.
 */
function lyingBars(chart: Chart): Chart {
  const { mark, x, y, points } = chart;
  if (mark !== "bar" || x.kind !== "category" || !showsAmounts(y)) return chart;
  const { values } = x;
  const longest = Math.max(...values.map((value) => value.length));
  // About 90 characters have room below a chart.
  if (longest * values.length <= 90 || longest <= 3) return chart;
  return {
    ...chart,
    x: y,
    y: x,
    points: points.map((point) => {
      const { texts } = point;
      return { ...point, x: point.y, y: point.x, texts: { ...texts, x: texts.y, y: texts.x } };
    }),
  };
}
