import { type Chart, showsAmounts } from "../../core/charts/chart.js";
import { colorNames } from "../../core/charts/chartColors.js";
import { textWidth } from "./textWidth.js";

/** A part of a Vega-Lite specification. */
export type Json = Record<string, unknown>;

/**
 * Returns the axis along which bars and areas are long and lines rise; `undefined` if both axes show
 * places.
 */
export function lengthAxis({ x, y }: Chart): "x" | "y" | undefined {
  if (showsAmounts(y)) return "y";
  return showsAmounts(x) ? "x" : undefined;
}

/** Returns the least and the most value of a channel that shows numbers. */
export function range({ points }: Chart, name: "x" | "y" | "color") {
  let [least, most] = [Infinity, -Infinity];
  for (const point of points) {
    const value = Number(point[name]);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}

/**
 * Returns the Vega-Lite encoding of an axis.
 *
 * @param width the width of the plotting area, in pixels
 */
export function axisOf(chart: Chart, name: "x" | "y", width: number): Json {
  const field = chart[name];
  switch (field.kind) {
    case "category":
      return {
        field: name,
        type: "nominal",
        title: field.title,
        sort: null,
        scale: { domain: field.values },
        axis: { grid: false, ticks: false, ...labelsOf(name, field.values, width) },
      };
    case "time":
      return {
        field: name,
        type: "temporal",
        title: field.title,
        scale: { type: "utc" },
        axis: { grid: false, ...momentsOf(chart, name) },
      };
    case "number":
      return field.step === undefined ? lengths(chart, name) : bins(chart, name, field.step);
  }
}

/**
 * Puts ticks at the data's own moments only if these are few: between a few days, hours are of no
 * interest.
 */
function momentsOf({ points }: Chart, name: "x" | "y"): Json {
  const moments = new Set(points.map((point) => point[name]));
  return moments.size <= 8 ? { values: [...moments] } : {};
}

/** Returns the encoding of an axis of bins, each of which begins at its value. */
function bins(chart: Chart, name: "x" | "y", step: number): Json {
  const { least, most } = range(chart, name);
  return {
    field: name,
    type: "quantitative",
    title: chart[name].title,
    bin: { binned: true, step },
    scale: { domain: [least, most + step], zero: false },
    axis: { grid: false },
  };
}

/** Returns the encoding of an axis of amounts: the lengths of bars and areas, or places of points. */
function lengths(chart: Chart, name: "x" | "y"): Json {
  const { mark, points, stack } = chart;
  const isLength = (mark === "bar" || mark === "area") && lengthAxis(chart) === name;
  const parts = isLength && areParts(chart);
  const field = { field: name, type: "quantitative", title: chart[name].title };
  if (parts && stack === "share") {
    const axis = { format: ".0%", grid: name === "y" };
    return { ...field, stack: "zero", scale: { domain: [0, 1] }, axis };
  }
  if (parts) {
    const axis = { grid: true, ...inWords(chart, Math.max(...totals(chart).values())) };
    return { ...field, stack: "zero", scale: { zero: true, nice: true }, axis };
  }
  const { least, most } = range(chart, name);
  // Leaves room for the numbers at the ends of bars.
  const room = points.some(({ label }) => label !== undefined)
    ? (most - Math.min(least, 0)) * 0.06
    : 0;
  const domain = [
    Math.min(0, least < 0 ? least - room : 0),
    Math.max(0, most > 0 ? most + room : 0),
  ];
  const zero = isLength || (least >= 0 && least <= most * (mark === "point" ? 0.15 : 0.4));
  return {
    ...field,
    ...(isLength ? { stack: null } : {}),
    scale: { zero, nice: true, ...(isLength && domain[0] !== domain[1] ? { domain } : {}) },
    axis: { grid: true, ...inWords(chart, Math.max(Math.abs(least), Math.abs(most))) },
  };
}

/** Returns whether the bars or areas of several colors are stacked into one whole. */
export function areParts({ mark, stack, color }: Chart): boolean {
  return (mark === "bar" || mark === "area") && color !== undefined && stack !== "grouped";
}

/** Returns the sum of the sizes, without their signs, at each place of stacked bars or areas. */
export function totals(chart: Chart): Map<number | string, number> {
  const sums = new Map<number | string, number>();
  const length = lengthAxis(chart) ?? "y";
  const place = length === "y" ? "x" : "y";
  for (const point of chart.points) {
    sums.set(point[place], (sums.get(point[place]) ?? 0) + Math.abs(Number(point[length])));
  }
  return sums;
}

/** Labels millions and more with the language's own unit for them. */
function inWords({ language }: Chart, size: number): Json {
  const power = size >= 2e12 ? 1e12 : size >= 2e9 ? 1e9 : size >= 2e6 ? 1e6 : undefined;
  if (power === undefined) return {};
  const parts = new Intl.NumberFormat(language, { notation: "compact" }).formatToParts(power);
  const unit = parts
    .filter(({ type }) => type === "compact" || type === "literal")
    .map(({ value }) => value)
    .join("");
  return {
    labelExpr: `datum.value === 0 ? '0' : format(datum.value / ${power}, ',') + ${JSON.stringify(unit)}`,
  };
}

/** Places labels horizontally where there is room, else slanted. */
function labelsOf(name: "x" | "y", values: readonly string[], width: number): Json {
  if (name === "y") return { domain: false };
  const room = width / values.length;
  const longest = Math.max(...values.map((value) => textWidth(value, 12)));
  if (longest < room - 6) return { labelAngle: 0, domain: true };
  // Of many short names, such as months, every second or third is enough.
  if (longest < 60 && values.length > 12)
    return { labelAngle: 0, labelOverlap: "greedy", domain: true };
  return { labelAngle: -40, labelLimit: 150, labelOverlap: "greedy", domain: true };
}

const shapes = [
  "circle",
  "square",
  "triangle-up",
  "diamond",
  "cross",
  "triangle-down",
  "triangle-right",
  "triangle-left",
];

/**
 * Returns the Vega-Lite encoding of color, and of shape where it repeats the color.
 *
 * @param width the width of the plotting area, in pixels
 */
export function colorOf(chart: Chart, width: number): Json {
  const { color, mark } = chart;
  if (color === undefined) return { color: { value: colorNames("series")[0] } };
  if (color.kind !== "category") return { color: quantity(chart, color.title) };
  const { title, values } = color;
  const legend = {
    orient: "top",
    direction: "horizontal",
    titleOrient: "left",
    labelLimit: 220,
    // Places the legend above the title of the vertical axis.
    offset: 32,
    columns: columnsOf(title, values, width),
  };
  const field = { field: "color", type: "nominal", title: title || null, sort: null, legend };
  const ordered = color.ordered === true && (mark === "bar" || mark === "area");
  const range = ordered ? stepsOf(values.length) : colorNames("series").slice(0, values.length);
  return {
    color: { ...field, scale: { domain: values, range } },
    // Shapes distinguish the series for people who cannot distinguish the colors.
    ...(mark === "point" || mark === "line"
      ? { shape: { ...field, scale: { domain: values, range: shapes.slice(0, values.length) } } }
      : {}),
  };
}

/** Returns `count` of the ramp's colors, spread evenly from end to end. */
function stepsOf(count: number): string[] {
  const ramp = colorNames("ramp");
  const last = ramp.length - 1;
  return Array.from(
    { length: count },
    (_, at) => ramp[Math.round(count === 1 ? last : (at * last) / (count - 1))] ?? "",
  );
}

/** Encodes a quantity in seven steps, which a legend can name and an eye can find again. */
function quantity(chart: Chart, title: string): Json {
  const { least, most } = range(chart, "color");
  const both = least < 0 && most > 0;
  return {
    field: "color",
    type: "quantitative",
    title: title || null,
    scale: {
      type: "threshold",
      domain: both ? around(Math.max(-least, most)) : between(least, most),
      range: colorNames(both ? "balance" : "ramp"),
    },
    legend: { orient: "right", direction: "vertical", titleLimit: 90 },
  };
}

/** Returns the limits between seven steps of a round width that reach from the least to the most. */
function between(least: number, most: number): number[] {
  let step = roundUp(Math.max(most - least, Number.MIN_VALUE) / 7);
  let first = Math.floor(least / step) * step;
  if (first + 7 * step < most) {
    step = roundUp(step * 1.01);
    first = Math.floor(least / step) * step;
  }
  return [1, 2, 3, 4, 5, 6].map((at) => tidy(first + at * step));
}

/** Returns the limits between seven steps of a round width whose middle is zero. */
function around(far: number): number[] {
  const step = roundUp(far / 3.5);
  return [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5].map((at) => tidy(at * step));
}

/** Returns the next number of a round size, such as 1, 1.5, 20 or 0.04. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((one) => one * power >= value) ?? 10);
}

/** Removes the last digits that binary fractions leave: 3 times 0.1 is 0.3. */
function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

/** Returns how many names of a legend have room beside one another. */
function columnsOf(title: string, values: readonly string[], width: number): number {
  const longest = Math.max(...values.map((value) => Math.min(220, textWidth(value, 12))));
  const room = width - textWidth(title, 12) - 10;
  return Math.max(1, Math.min(values.length, Math.floor(room / (longest + 40))));
}
