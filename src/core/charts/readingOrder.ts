import type { Chart } from "./chart.js";

/** A chart's channels as they are told of: what it is of before how much it is. */
export function readingOrder(chart: Chart): readonly ("x" | "y" | "color")[] {
  const isMeasure = (name: "x" | "y" | "color") => {
    const field = chart[name];
    return Number(field?.kind === "number" && field.step === undefined);
  };
  return (["x", "y", "color"] as const)
    .filter((name) => chart[name] !== undefined)
    .sort((a, b) => isMeasure(a) - isMeasure(b));
}
