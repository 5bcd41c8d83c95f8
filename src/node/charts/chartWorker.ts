import { parentPort } from "node:worker_threads";
import type { Chart } from "../../core/charts/chart.js";
import { drawSvg } from "./drawSvg.js";

/** The thread's answer to a chart; it draws one chart at a time. */
export type ChartAnswer = { readonly svg: string } | { readonly error: string };

// This runs in its own thread: loading and drawing take long enough to disturb a user who is typing.
parentPort?.on("message", (chart: Chart) => {
  drawSvg(chart).then(
    (svg) => parentPort?.postMessage({ svg } satisfies ChartAnswer),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies ChartAnswer),
  );
});
