import type { Chart } from "../../core/charts/chart.js";
import { type Json, lengthAxis, range } from "./chartShape.js";
import { stackAreas } from "./stackAreas.js";
import { textWidth } from "./textWidth.js";

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

function lengths(chart: Chart, name: "x" | "y"): Json {
  const { mark, stack, color, points } = chart;
  const isLength = (mark === "bar" || mark === "area") && lengthAxis(chart) === name;
  const parts = isLength && color !== undefined && stack !== "grouped";
  const field = { field: name, type: "quantitative", title: chart[name].title };
  if (mark === "area" && isLength) return areaLengths(chart);
  if (parts && stack === "share") {
    return { ...field, stack: "normalize", axis: { format: ".0%", grid: name === "y" } };
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
    ...(isLength ? { stack: parts ? "zero" : null } : {}),
    scale: {
      zero,
      nice: true,
      ...(isLength && !parts && domain[0] !== domain[1] ? { domain } : {}),
    },
    axis: {
      grid: true,
      ...inWords(chart, Math.max(Math.abs(least), Math.abs(most)) * (parts ? 2 : 1)),
    },
  };
}

/** Returns the axis for the lengths of areas, whose data contains their places in the stack. */
function areaLengths(chart: Chart): Json {
  const { y, stack, color } = chart;
  const share = stack === "share" && color !== undefined;
  const ends = stackAreas(chart).map(({ to }) => Number(to));
  const most = ends.reduce((far, end) => Math.max(far, Math.abs(end)), 0);
  return {
    field: "from",
    type: "quantitative",
    title: y.title,
    stack: null,
    scale: { zero: true, nice: !share },
    axis: share ? { format: ".0%" } : inWords(chart, most),
  };
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
