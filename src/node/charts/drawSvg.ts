import { parse, textMetrics, View } from "vega";
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

/**
 * Draws a chart as SVG with Vega-Lite. Load this file only when needed, in a thread that nothing else
 * waits for.
 */
export async function drawSvg(chart: Chart): Promise<string> {
  textMetrics.width = ({ fontSize = 11, limit = 0 }, text) => {
    const width = textWidth(textOf(text), fontSize);
    return limit > 0 ? Math.min(width, limit) : width;
  };
  const problems: string[] = [];
  const logger = quietLogger(problems);
  const { spec } = compile(vegaLiteSpec(chart), { logger });
  const view = new View(parse(spec), { renderer: "none", logger });
  try {
    const svg = await view.toSVG();
    // Vega logs errors and continues, but here they must not pass.
    if (problems.length > 0) throw new Error(problems.join(" "));
    return svg;
  } finally {
    view.finalize();
  }
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Returns a logger that collects errors and ignores everything else. */
function quietLogger(problems: string[]) {
  const logger = {
    level: () => logger,
    error: (...args: readonly unknown[]) => {
      problems.push(args.map(String).join(" "));
      return logger;
    },
    warn: () => logger,
    info: () => logger,
    debug: () => logger,
  };
  return logger;
}
