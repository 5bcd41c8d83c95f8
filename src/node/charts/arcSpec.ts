import type { Chart } from "../../core/charts/chart.js";
import { colorNames, inks } from "../../core/charts/chartColors.js";
import { tipOf } from "./tipOf.js";

const radius = 140;
/** The smallest share of the whole at which a slice has room for its name. */
const leastNamed = 0.04;

/** Returns a pie chart as a Vega-Lite specification. Slices are named in place, as far as there is room. */
export function arcSpec(chart: Chart): Record<string, unknown> {
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
