import type { Chart } from "../../core/charts/chart.js";

/** A part of a Vega-Lite specification. */
export type Json = Record<string, unknown>;

/**
 * Returns the axis along which bars and areas are long and lines rise; `undefined` if both axes show
 * places.
 */
export function lengthAxis({ x, y }: Chart): "x" | "y" | undefined {
  if (y.kind === "number" && y.step === undefined) return "y";
  return x.kind === "number" && x.step === undefined ? "x" : undefined;
}

export function range({ points }: Chart, name: "x" | "y" | "color") {
  let [least, most] = [Infinity, -Infinity];
  for (const point of points) {
    const value = Number(point[name]);
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most };
}
