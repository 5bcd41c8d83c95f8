import { UserError } from "../errors.js";
import { binOf, binStep } from "./binStep.js";
import type { Chart, ChartField, ChartPoint } from "./chart.js";
import { chartProblem } from "./chartProblem.js";
import type { ChartChannel, ChartRequest } from "./chartRequest.js";
import { type ChartCell, type ChartTable, isMissing, quoted } from "./chartTable.js";
import { type ChannelName, type ChartRow, groupPoints, keyOf } from "./groupPoints.js";
import { lyingBars } from "./lyingBars.js";
import { readNumbers } from "./readNumbers.js";
import { readTime } from "./readTime.js";
import { nextUnit, startOf, type TimeUnit, timeText, unitOf } from "./timeUnits.js";
import { shortText, valueText } from "./valueText.js";

const most = { points: 5000, places: 100, moments: 400, slices: 8, colors: 8 };

/** A channel of the request with the values of its column. */
interface ReadChannel {
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
  if (problem !== undefined) throw new UserError(problem);
  const channels = (["x", "y", "color"] as const).flatMap((name) => {
    const asked = request[name];
    return asked ? [readChannel(name, asked, table, request)] : [];
  });
  const read = table.rows.map((_, at): ChartRow => {
    return Object.fromEntries(channels.map(({ name, values }) => [name, values[at]]));
  });
  const whole = read.filter((row) => channels.every(({ name }) => row[name] !== undefined));
  if (whole.length === 0) throw new UserError("No row has a value in every column of the chart.");
  const measured = measureOf(request);
  const aggregate = channels.find(({ asked }) => asked.aggregate)?.asked.aggregate;
  const rows = aggregate ? groupPoints(whole, measured, aggregate) : whole;
  if (!aggregate && request.mark !== "point") checkPlaces(rows, measured, channels);
  if (rows.length > most.points) {
    throw new UserError(
      `These are ${rows.length} points; a chart has ${most.points} at most. Aggregate them, as with "aggregate": "mean" and a "unit" or "bin", or draw a part.`,
    );
  }
  const fields = new Map(
    channels.map((one) => [one.name, fieldOf(one, rows, measured, request, language)]),
  );
  const [x, y, color] = [fields.get("x"), fields.get("y"), fields.get("color")];
  if (x === undefined || y === undefined) throw new Error("a chart without axes");
  checkSizes(request, rows, { x, y, color });
  const points = rows.map((row) => pointOf(row, channels, fields, language));
  const chart: Chart = {
    mark: request.mark,
    x,
    y,
    language,
    stack: request.stack ?? "stacked",
    ...(color === undefined ? {} : { color }),
    points: labelled(request, points, rows, measured, language),
  };
  const isTime = request.x.type === "temporal";
  return { chart: isTime ? chart : lyingBars(chart), left: table.rows.length - whole.length };
}

function languageOf(tag: string | null | undefined): string {
  try {
    return Intl.getCanonicalLocales(tag ?? "en")[0] ?? "en";
  } catch {
    throw new UserError(`${JSON.stringify(tag)} is no language. Name one as in "en" or "de".`);
  }
}

function readChannel(
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
      `There is no column ${JSON.stringify(field)}. The columns are ${there.slice(0, 1000)}.`,
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
      `${JSON.stringify(field)} is to be temporal, but ${quoted(row, cell)}. Write dates as in 2025-03-31 or 2025-03-31T14:00, or choose ordinal.`,
    );
  });
  return { values: moments, unit: unit ?? unitOf(moments.filter((ms) => ms !== undefined)) };
}

/**
 * Returns the channel with the measured number, such as the height of a bar or the color of a heat
 * map's cell.
 */
function measureOf({ mark, x, y, color }: ChartRequest): ChannelName {
  const aggregated = (
    [
      ["x", x],
      ["y", y],
      ["color", color],
    ] as const
  ).find(([, channel]) => channel?.aggregate);
  if (aggregated) return aggregated[0];
  if (mark === "heatmap") return "color";
  const upright = y.type === "quantitative" && y.bin !== true;
  return mark === "bar" && !upright ? "x" : "y";
}

function checkPlaces(
  rows: readonly ChartRow[],
  measured: ChannelName,
  channels: readonly ReadChannel[],
): void {
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
        `Several rows have ${place.join(", ")}, so they would hide one another. Say with "aggregate" what becomes of them (sum, mean, …), or tell them apart with color.`,
      );
    }
    seen.add(key);
  }
}

function fieldOf(
  { name, asked, title, unit, step }: ReadChannel,
  rows: readonly ChartRow[],
  measured: ChannelName,
  request: ChartRequest,
  language: string,
): ChartField {
  const isMeasure = name === measured && asked.type === "quantitative";
  if (isMeasure || asked.aggregate) return { kind: "number", title };
  if (asked.type === "quantitative") return { kind: "number", title, step };
  if (asked.type === "temporal") {
    if (!inSteps(name, request)) return { kind: "time", title };
    return {
      kind: "category",
      title,
      values: stepsOf(name, rows, unit).map((ms) => timeText(ms, unit, language)),
    };
  }
  return {
    kind: "category",
    title,
    ordered: asked.type === "ordinal",
    values: sorted(name, asked, rows, measured, request, language),
  };
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

function sorted(
  name: ChannelName,
  asked: ChartChannel,
  rows: readonly ChartRow[],
  measured: ChannelName,
  { mark, sort }: ChartRequest,
  language: string,
): string[] {
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

function checkSizes(
  { mark, stack }: ChartRequest,
  rows: readonly ChartRow[],
  {
    x,
    y,
    color,
  }: { readonly x: ChartField; readonly y: ChartField; readonly color: ChartField | undefined },
): void {
  const count = (field: ChartField | undefined) =>
    field?.kind === "category" ? field.values.length : 0;
  const slices = mark === "arc";
  const places = Math.max(count(x), count(y));
  if (slices && places > most.slices) {
    throw new UserError(
      `A pie of ${places} slices cannot be read; ${most.slices} is the most. Draw bars, or put the small ones together.`,
    );
  }
  if (slices && rows.some((row) => typeof row.y === "number" && row.y < 0)) {
    throw new UserError("A slice cannot have a negative size. Draw bars.");
  }
  const parts = color !== undefined && (mark === "area" || stack === "share");
  if (parts && rows.some((row) => isNegative(x, row.x) || isNegative(y, row.y))) {
    throw new UserError(
      "Parts of a whole cannot be negative. Draw lines, or bars that are grouped.",
    );
  }
  if (places > most.moments || (places > most.places && mark !== "bar" && mark !== "heatmap")) {
    throw new UserError(
      `${places} names do not fit on an axis. Keep those that matter, or group them (a "unit" of time, a coarser column).`,
    );
  }
  if (count(color) > most.colors) {
    throw new UserError(
      `Nobody can tell ${count(color)} colors apart; ${most.colors} is the most. Keep those that matter and put the others together, or leave color out.`,
    );
  }
}

function isNegative(field: ChartField, value: number | string | undefined): boolean {
  return field.kind === "number" && typeof value === "number" && value < 0;
}

function pointOf(
  row: ChartRow,
  channels: readonly ReadChannel[],
  fields: ReadonlyMap<ChannelName, ChartField>,
  language: string,
): ChartPoint {
  const shown = (name: ChannelName) => {
    const channel = channels.find((one) => one.name === name);
    const value = row[name] ?? "";
    const { unit, step, asked } = channel ?? {};
    const isTime = asked?.type === "temporal" && typeof value === "number";
    const text = isTime ? timeText(value, unit, language) : valueText(value, step, language);
    return { text, value: fields.get(name)?.kind === "category" ? text : value };
  };
  const [x, y, color] = [shown("x"), shown("y"), shown("color")];
  const texts = { x: x.text, y: y.text };
  if (!fields.has("color")) return { x: x.value, y: y.value, texts };
  return { x: x.value, y: y.value, color: color.value, texts: { ...texts, color: color.text } };
}

/**
 * Labels the slices of a pie with their shares, and up to 15 bars without colors or bins with their
 * values.
 */
function labelled(
  { mark, x, y, color }: ChartRequest,
  points: readonly ChartPoint[],
  rows: readonly ChartRow[],
  measured: ChannelName,
  language: string,
): readonly ChartPoint[] {
  const values = rows.map((row) => Number(row[measured]));
  if (mark === "arc") {
    const total = values.reduce((sum, value) => sum + value, 0);
    const share = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 });
    return points.map((point, at) => {
      return { ...point, label: share.format(total === 0 ? 0 : (values[at] ?? 0) / total) };
    });
  }
  if (mark !== "bar" || color || x.bin || y.bin || points.length > 15) return points;
  return points.map((point, at) => ({ ...point, label: shortText(values[at] ?? 0, language) }));
}
