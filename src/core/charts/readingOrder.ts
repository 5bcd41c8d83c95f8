import type { Chart } from "./chart.js";

/** Returns the channels of a chart in reading order: what a point is about, then how much it is. */
export function readingOrder(chart: Chart): readonly ("x" | "y" | "color")[] {
  const isMeasure = (name: "x" | "y" | "color") => {
    const field = chart[name];
    return Number(field?.kind === "number" && field.step === undefined);
  };
  return (["x", "y", "color"] as const)
    .filter((name) => chart[name] !== undefined)
    .sort((a, b) => isMeasure(a) - isMeasure(b));
}
