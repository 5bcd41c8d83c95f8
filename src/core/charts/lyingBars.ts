import type { Chart } from "./chart.js";

/**
 * Makes bars horizontal if their names have no room below them. Returns any other chart unchanged.
 */
export function lyingBars(chart: Chart): Chart {
  const { mark, x, y, points } = chart;
  if (mark !== "bar" || x.kind !== "category" || y.kind !== "number" || y.step !== undefined) {
    return chart;
  }
  const { values } = x;
  const longest = Math.max(...values.map((value) => value.length));
  // About 90 characters have room below a chart.
  if (longest * values.length <= 90 || longest <= 3) return chart;
  return {
    ...chart,
    x: y,
    y: x,
    points: points.map((point) => {
      const { texts } = point;
      return { ...point, x: point.y, y: point.x, texts: { ...texts, x: texts.y, y: texts.x } };
    }),
  };
}
