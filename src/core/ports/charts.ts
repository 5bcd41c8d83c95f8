import type { Chart } from "../charts/chart.js";

/** Draws charts. */
export interface Charts {
  /**
   * Returns the chart as SVG; the same chart gives the same SVG. Its colors are the names that
   * `chartColors` gives them, so that the surrounding page decides how they look. Throws a `UserError`
   * when drawing takes too long, and the signal's reason when the signal aborts.
   */
  svg(chart: Chart, signal: AbortSignal): Promise<string>;
}
