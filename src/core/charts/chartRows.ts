import type { Chart } from "./chart.js";
import { readingOrder } from "./readingOrder.js";

/** Returns the data of a chart as the table below it, with one row for each point. */
export function chartRows(chart: Chart) {
  const names = readingOrder(chart);
  return {
    columns: names.map((name) => {
      const field = chart[name];
      return { title: field?.title ?? "", isNumber: field?.kind === "number" && !field.step };
    }),
    rows: chart.points.map(({ texts }) => names.map((name) => texts[name] ?? "")),
  };
}
