import type { TopLevelSpec } from "vega-lite";
import {
  type Chart,
  type ChartField,
  type ChartPoint,
  readingOrder,
} from "../../core/charts/chart.js";
import { colorNames } from "../../core/charts/chartColors.js";
import { inks } from "../../core/text/htmlPage.js";
import { textWidth } from "./textWidth.js";
import {
  areParts,
  axisOf,
  colorOf,
  type Json,
  lengthAxis,
  range,
  totals,
} from "./vegaLiteChannels.js";

/** The size of the whole drawing in pixels, as the page has room for it. */
const whole = { width: 780, height: 380 };
const labelLimit = 260;

/**
 * Returns a chart as a Vega-Lite specification. Its points have fixed field names, and what people
 * wrote stands only in data, titles and domains: other parts, such as where to sort, are made into
 * formulas by Vega-Lite.
 */
export function vegaLiteSpec(chart: Chart): TopLevelSpec {
  const spec = {
    background: null,
    padding: { left: 4, right: 20, top: 8, bottom: 4 },
    autosize: { type: "pad", contains: "padding" },
    ...(chart.mark === "arc" ? arcSpec(chart) : planeSpec(chart)),
    config: configOf(chart.language),
  };
  // Checking its type would follow every branch of a grammar that is much larger than what is used
  // here.
  return spec as unknown as TopLevelSpec;
}

/** Returns the parts of the specification of a chart with two axes. */
function planeSpec(chart: Chart): Json {
  const { mark, x, y } = chart;
  const beside = y.kind === "category" ? Math.min(labelLimit, widest(y.values) + 10) : 60;
  const legend = mark === "heatmap" ? 90 : 0;
  const width = whole.width - beside - legend;
  const size = {
    width: extent(x, mark === "line" || mark === "area" ? [8, 110] : [5, 90], width),
    height: extent(y, mark === "bar" ? [24, 34] : [22, 44], whole.height),
  };
  return {
    ...size,
    data: { values: valuesOf(chart) },
    layer: layersOf(chart, size.width),
  };
}

/**
 * Returns the points with their tooltips and their ranks in the stack. Parts of a whole are given as
 * shares of it.
 */
function valuesOf(chart: Chart): Json[] {
  const { mark, stack, color, points } = chart;
  const names = color?.kind === "category" ? color.values : [];
  const values = points.map((point): ChartPoint & Json => ({
    ...point,
    tip: tipOf(chart, point),
    rank: names.indexOf(String(point.color)),
  }));
  if (!areParts(chart)) return values;
  const wholes = totals(chart);
  const length = lengthAxis(chart) ?? "y";
  const place = length === "y" ? "x" : "y";
  const parts = values.map((value) => {
    const total = wholes.get(value[place]) ?? 0;
    const whole = stack === "share" && total > 0 ? total : 1;
    return { ...value, [length]: Number(value[length]) / whole };
  });
  return mark === "area" ? [...parts, ...emptyParts(chart, [...wholes.keys()], names)] : parts;
}

/** Returns a part without size for each color and place that have none: an area has a height everywhere. */
function emptyParts(
  { points }: Chart,
  places: readonly (number | string)[],
  names: readonly string[],
): Json[] {
  const key = (x: number | string, name: unknown) => JSON.stringify([x, name]);
  const there = new Set(points.map(({ x, color }) => key(x, color)));
  return places.flatMap((x) =>
    names.flatMap((name, rank) =>
      there.has(key(x, name)) ? [] : [{ x, y: 0, color: name, rank }],
    ),
  );
}

/** Returns the estimated width of the widest label of an axis in pixels. */
function widest(values: readonly string[]): number {
  return Math.max(...values.map((value) => textWidth(value, 12)));
}

/**
 * Returns the extent of an axis in pixels. Each category gets a place of a width between the two given;
 * any other axis takes all the room.
 */
function extent(field: ChartField, [least, most]: readonly [number, number], room: number): number {
  if (field.kind !== "category") return room;
  const { length } = field.values;
  return Math.max(least * length, Math.min(room, most * length));
}

function layersOf(chart: Chart, width: number): Json[] {
  const { mark, points } = chart;
  const position = { x: axisOf(chart, "x", width), y: axisOf(chart, "y", width) };
  const color = colorOf(chart, width);
  // An area is one shape for many points, so that it has no tooltip.
  const description = mark === "area" ? { value: "" } : { field: "tip" };
  const layers: Json[] = [
    {
      mark: markOf(chart),
      encoding: { ...position, ...color, ...offsetOf(chart), ...orderOf(chart), description },
    },
  ];
  if (mark === "line" && points.length <= 150) {
    // These are dots that a pointer can rest on; each series has a shape of its own.
    const dots = { type: "point", filled: true, size: points.length <= 60 ? 40 : 18, opacity: 1 };
    layers.push({ mark: dots, encoding: { ...position, ...color, description } });
  }
  if (points.some(({ label }) => label !== undefined)) layers.push(barLabels(chart, position));
  const length = lengthAxis(chart);
  if (length !== undefined && mark !== "point" && range(chart, length).least < 0) {
    const zero = { [length]: { datum: 0 }, color: { value: inks.muted } };
    const line = { type: "rule", aria: false, strokeWidth: 1 };
    layers.push({ data: { values: [{}] }, mark: line, encoding: zero });
  }
  return layers;
}

function markOf({ mark, points }: Chart): Json {
  switch (mark) {
    case "bar":
      return { type: "bar", stroke: inks.page, strokeWidth: 0.75 };
    case "line":
      return { type: "line", strokeWidth: 2, strokeJoin: "round", strokeCap: "round" };
    case "area":
      return { type: "area", fillOpacity: 0.85, stroke: inks.page, strokeWidth: 1 };
    case "heatmap":
      return { type: "rect", stroke: inks.page, strokeWidth: 1 };
    case "arc":
    case "point": {
      const size = points.length > 1000 ? 22 : points.length > 200 ? 32 : 50;
      return { type: "point", filled: true, size, opacity: points.length > 200 ? 0.6 : 0.85 };
    }
  }
}

/** Places bars of several colors beside one another. */
function offsetOf(chart: Chart): Json {
  const { mark, stack, color } = chart;
  if (mark !== "bar" || stack !== "grouped" || color?.kind !== "category") return {};
  const beside = { field: "color", sort: null, scale: { domain: color.values } };
  return lengthAxis(chart) === "x" ? { yOffset: beside } : { xOffset: beside };
}

/**
 * Stacks bars and areas so that the first of the legend lies at the bottom. An area without colors
 * has no such order, which would take the place of the order along its axis.
 */
function orderOf(chart: Chart): Json {
  const isOrdered = chart.mark === "bar" || areParts(chart);
  return isOrdered ? { order: { field: "rank", type: "quantitative" } } : {};
}

/** Returns a layer with the values of bars, at their ends. */
function barLabels(chart: Chart, position: Json): Json {
  const side =
    lengthAxis(chart) === "x"
      ? { align: { expr: "datum.x < 0 ? 'right' : 'left'" }, dx: { expr: "datum.x < 0 ? -5 : 5" } }
      : { align: "center", dy: { expr: "datum.y < 0 ? 10 : -8" } };
  return {
    mark: { type: "text", aria: false, baseline: "middle", fontSize: 12, ...side },
    encoding: { ...position, text: { field: "label" }, color: { value: inks.text } },
  };
}

function configOf(language: string): Json {
  // Vega-Lite's own descriptions are switched off: it would put titles into formulas to make them.
  const unsaid = { aria: false };
  const text = {
    labelFontSize: 12,
    titleFontSize: 12,
    titleFontWeight: "normal",
    labelColor: inks.text,
    titleColor: inks.muted,
  };
  return {
    locale: vegaLocale(language),
    view: { stroke: null },
    axis: {
      ...text,
      ...unsaid,
      gridColor: inks.grid,
      domainColor: inks.muted,
      tickColor: inks.muted,
      labelPadding: 6,
      labelOverlap: true,
      labelLimit,
    },
    axisX: { titlePadding: 10 },
    // The title stands above the axis, where it can be read without turning one's head.
    axisY: {
      titleAngle: 0,
      titleAlign: "left",
      titleBaseline: "bottom",
      titleX: 0,
      titleY: -12,
      domain: false,
      ticks: false,
    },
    axisQuantitative: { tickCount: 6 },
    legend: {
      ...text,
      ...unsaid,
      symbolSize: 90,
      symbolStrokeWidth: 0,
      columnPadding: 16,
      rowPadding: 4,
      titlePadding: 10,
    },
  };
}

const radius = 140;
/** The smallest share of the whole at which a slice has room for its name. */
const leastNamed = 0.04;

/** Returns a pie chart as a Vega-Lite specification. Slices are named in place, as far as there is room. */
function arcSpec(chart: Chart): Record<string, unknown> {
  const { x, points } = chart;
  const names = x.kind === "category" ? x.values : [];
  const total = points.reduce((sum, { y }) => sum + Number(y), 0);
  let before = 0;
  const inOrder = [...points].sort(
    (a, b) => names.indexOf(String(a.x)) - names.indexOf(String(b.x)),
  );
  const values = inOrder.map((point, at) => {
    const size = Number(point.y);
    const side = before + size / 2 <= total / 2 ? "left" : "right";
    before += size;
    const label = size >= leastNamed * total ? `${point.x} ${point.label ?? ""}` : "";
    return { ...point, at, label, side, tip: `${tipOf(chart, point)}\n${point.label ?? ""}` };
  });
  const encoding = {
    theta: { field: "y", type: "quantitative", stack: true },
    order: { field: "at", type: "quantitative" },
  };
  const color = {
    field: "x",
    type: "nominal",
    title: x.title,
    sort: null,
    scale: { domain: names, range: colorNames("series").slice(0, names.length) },
    legend: values.some(({ label }) => label === "") ? { orient: "right" } : null,
  };
  return {
    width: 2 * radius + 60,
    height: 2 * radius + 60,
    data: { values },
    layer: [
      {
        mark: { type: "arc", outerRadius: radius, stroke: inks.page, strokeWidth: 2 },
        encoding: { ...encoding, color, description: { field: "tip" } },
      },
      {
        mark: {
          type: "text",
          aria: false,
          radius: radius + 12,
          fontSize: 13,
          limit: 220,
          align: { expr: "datum.side" },
        },
        encoding: { ...encoding, text: { field: "label" }, color: { value: inks.text } },
      },
    ],
  };
}

/** Returns the tooltip of a point, with a line for each of its values. */
function tipOf(chart: Chart, { texts }: ChartPoint): string {
  return readingOrder(chart)
    .map((name) => [chart[name]?.title ?? "", texts[name] ?? ""].filter(Boolean).join(": "))
    .join("\n");
}

/** Returns how a language writes numbers and dates, in the format that d3 expects. */
function vegaLocale(language: string) {
  const number = new Intl.NumberFormat(language).formatToParts(-1234567.5);
  const part = (type: Intl.NumberFormatPartTypes, usual: string) =>
    number.find((one) => one.type === type)?.value ?? usual;
  const names = (options: Intl.DateTimeFormatOptions, moments: readonly number[]) => {
    const format = new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" });
    return moments.map((ms) => format.format(ms));
  };
  const months = Array.from({ length: 12 }, (_, month) => Date.UTC(2023, month, 15));
  // 1 January 2023 was a Sunday, which is the first day of the week in this format.
  const days = Array.from({ length: 7 }, (_, day) => Date.UTC(2023, 0, day + 1));
  return {
    number: {
      decimal: part("decimal", "."),
      thousands: part("group", ","),
      grouping: [3],
      currency: ["", ""],
    },
    time: {
      dateTime: "%x, %X",
      date: "%d.%m.%Y",
      time: "%H:%M:%S",
      periods: ["AM", "PM"],
      months: names({ month: "long" }, months),
      shortMonths: names({ month: "short" }, months),
      days: names({ weekday: "long" }, days),
      shortDays: names({ weekday: "short" }, days),
    },
  };
}
