import type { Chart } from "../../core/charts/chart.js";
import { colorNames } from "../../core/charts/chartColors.js";
import { type Json, range } from "./chartShape.js";
import { textWidth } from "./textWidth.js";

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

/** Returns so many of the ramp's colors, spread evenly from end to end. */
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

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 1.5, 2, 2.5, 3, 4, 5, 6, 8].find((one) => one * power >= value) ?? 10);
}

function tidy(value: number): number {
  return Number(value.toPrecision(12));
}

function columnsOf(title: string, values: readonly string[], width: number): number {
  const longest = Math.max(...values.map((value) => Math.min(220, textWidth(value, 12))));
  const room = width - textWidth(title, 12) - 10;
  return Math.max(1, Math.min(values.length, Math.floor(room / (longest + 40))));
}
