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

/** Of the whole drawing, as the page has room for it. */
const whole = { width: 780, height: 380 };
const labelLimit = 260;

/**
 * A chart in the words of Vega-Lite. Its points get names that are ours, and what people wrote stands
 * only in data, titles and domains. Of what it says otherwise, as where to sort, Vega-Lite makes formulas.
 */
export function vegaLiteSpec(chart: Chart): TopLevelSpec {
  const spec = {
    background: null,
    padding: { left: 4, right: 20, top: 8, bottom: 4 },
    autosize: { type: "pad", contains: "padding" },
    ...(chart.mark === "arc" ? arcSpec(chart) : planeSpec(chart)),
    config: configOf(chart.language),
  };
  // Its type follows every branch of a grammar that is much larger than what is used of it.
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

/** A point with what is told of it, and its place in a stack. */
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

/** Names get a place each, neither too narrow nor too wide for a pixel's share of the whole. */
function extent(field: ChartField, [least, most]: readonly [number, number], room: number): number {
  if (field.kind !== "category") return room;
  const { length } = field.values;
  return Math.max(least * length, Math.min(room, most * length));
}

function layersOf(chart: Chart, width: number): Json[] {
  const { mark, points } = chart;
  const position = { x: axisOf(chart, "x", width), y: axisOf(chart, "y", width) };
  const color = colorOf(chart, width);
  // An area is one shape, of which there is nothing to tell.
  const description = mark === "area" ? { value: "" } : { field: "tip" };
  const layers: Json[] = [
    {
      mark: markOf(chart),
      encoding: { ...position, ...color, ...offsetOf(chart), ...stackOf(chart), description },
    },
  ];
  if (mark === "line" && points.length <= 150) {
    // What a pointer can rest on; each series has a shape of its own.
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

/** Bars of several colors beside one another. */
function offsetOf(chart: Chart): Json {
  const { mark, stack, color } = chart;
  if (mark !== "bar" || stack !== "grouped" || color?.kind !== "category") return {};
  const beside = { field: "color", sort: null, scale: { domain: color.values } };
  return lengthAxis(chart) === "x" ? { yOffset: beside } : { xOffset: beside };
}

/** What is first in the legend lies at the bottom. */
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
  // What Vega-Lite would say of them by itself it puts together by formulas, titles and all.
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
    // Above the axis, where it is read without turning one's head.
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
