import type { Charts, Web } from "../core/ports.js";
import type { HttpWebOptions } from "../node/web/httpWeb.js";

/** Returns what draws charts. It is loaded, with its libraries, at the first chart. */
export function lateCharts(): Charts {
  const load = once(async () => {
    const { WorkerCharts } = await import("../node/charts/workerCharts.js");
    return new WorkerCharts();
  });
  return { svg: async (chart, signal) => (await load()).svg(chart, signal) };
}

/**
 * Returns access to the web. It is loaded, with the Node modules that it needs, at the first request.
 *
 * @param options called for every request, so that a changed setting takes effect at once
 */
export function lateWeb(options: () => HttpWebOptions): Web {
  const load = once(async () => {
    const { HttpWeb } = await import("../node/web/httpWeb.js");
    return new HttpWeb(options);
  });
  return { get: async (address, signal) => (await load()).get(address, signal) };
}

/** Returns a function that calls `make` at its first call, and returns that result at all calls. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
