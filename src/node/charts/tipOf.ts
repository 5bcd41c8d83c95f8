import type { Chart, ChartPoint } from "../../core/charts/chart.js";
import { readingOrder } from "../../core/charts/readingOrder.js";

/** Returns the tooltip of a point, with a line for each of its values. */
export function tipOf(chart: Chart, { texts }: ChartPoint): string {
  return readingOrder(chart)
    .map((name) => [chart[name]?.title ?? "", texts[name] ?? ""].filter(Boolean).join(": "))
    .join("\n");
}
