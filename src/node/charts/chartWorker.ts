import { parentPort } from "node:worker_threads";
import type { Chart } from "../../core/charts/chart.js";
import { drawSvg } from "./drawSvg.js";

/** What the thread is asked, and answers, one at a time. */
export type ChartAnswer = { readonly svg: string } | { readonly error: string };

// A thread of its own: loading and drawing take long enough to be felt by whoever types.
parentPort?.on("message", (chart: Chart) => {
  drawSvg(chart).then(
    (svg) => parentPort?.postMessage({ svg } satisfies ChartAnswer),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies ChartAnswer),
  );
});
