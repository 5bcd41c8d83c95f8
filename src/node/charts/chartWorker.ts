import { parentPort } from "node:worker_threads";
import { Error as ErrorLevel, logger, parse, textMetrics, View } from "vega";
import { expressionInterpreter } from "vega-interpreter";
import { compile } from "vega-lite";
import type { Chart } from "../../core/charts/chart.js";
import { textWidth } from "./textWidth.js";
import { vegaLiteSpec } from "./vegaLiteSpec.js";

declare module "vega" {
  /**
   * This export is missing in Vega's types;
   * https://github.com/vega/vega/tree/main/packages/vega-scenegraph
   */
  export const textMetrics: {
    width: (item: { readonly fontSize?: number; readonly limit?: number }, text: unknown) => number;
  };
}

/** The thread's answer to a chart; it draws one chart at a time. */
export type ChartAnswer = { readonly svg: string } | { readonly error: string };

// This runs in its own thread: loading and drawing take long enough to disturb a user who is typing.
parentPort?.on("message", (chart: Chart) => {
  drawSvg(chart).then(
    (svg) => parentPort?.postMessage({ svg } satisfies ChartAnswer),
    (error: unknown) => parentPort?.postMessage({ error: String(error) } satisfies ChartAnswer),
  );
});

/**
 * Draws a chart as SVG with Vega-Lite. Load this file only when needed, in a thread that nothing else
 * waits for.
 */
async function drawSvg(chart: Chart): Promise<string> {
  textMetrics.width = ({ fontSize = 11, limit = 0 }, text) => {
    const width = textWidth(textOf(text), fontSize);
    return limit > 0 ? Math.min(width, limit) : width;
  };
  const problems: string[] = [];
  // Vega logs errors and continues, but here they must not pass.
  const collect = (_method: string, _level: string, args: readonly unknown[]) => {
    problems.push(args.map(String).join(" "));
  };
  const errors = logger(ErrorLevel, undefined, collect);
  const { spec } = compile(vegaLiteSpec(chart), { logger: errors });
  const view = new View(parse(spec, {}, { ast: true }), {
    renderer: "none",
    logger: errors,
    expr: expressionInterpreter,
  });
  try {
    const svg = await view.toSVG();
    if (problems.length > 0) throw new Error(problems.join(" "));
    return svg;
  } finally {
    view.finalize();
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
