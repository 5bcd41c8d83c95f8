import type { TopLevelSpec } from "vega-lite";
import type { Chart, ChartField, ChartPoint } from "../../core/charts/chart.js";
import { inks } from "../../core/charts/chartColors.js";
import { arcSpec } from "./arcSpec.js";
import { axisOf } from "./axisOf.js";
import { colorOf } from "./colorOf.js";
import { type Json, lengthAxis, range } from "./chartShape.js";
import { stackAreas } from "./stackAreas.js";
import { textWidth } from "./textWidth.js";
import { tipOf } from "./tipOf.js";
import { vegaLocale } from "./vegaLocale.js";

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
    data: { values: mark === "area" ? stackAreas(chart) : chart.points.map(valueOf(chart)) },
    layer: layersOf(chart, size.width),
  };
}

/** Returns a function that adds the tooltip and the place in the stack to a point. */
function valueOf(chart: Chart) {
  const ranks = chart.color?.kind === "category" ? chart.color.values : [];
  return (point: ChartPoint) => ({
    ...point,
    tip: tipOf(chart, point),
    rank: ranks.indexOf(String(point.color)),
  });
}

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
      encoding: { ...position, ...color, ...offsetOf(chart), ...stackOf(chart), description },
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

/** Stacks areas and bars so that the first of the legend lies at the bottom. */
function stackOf({ mark }: Chart): Json {
  if (mark === "area") return { y2: { field: "to" } };
  return mark === "bar" ? { order: { field: "rank", type: "quantitative" } } : {};
}

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
