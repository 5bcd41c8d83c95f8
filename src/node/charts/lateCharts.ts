import type { Chart } from "../../core/charts/chart.js";
import type { Charts } from "../../core/ports.js";
import type { WorkerCharts } from "./workerCharts.js";

/** {@link WorkerCharts}, which is loaded at the first chart. */
export class LateCharts implements Charts {
  private loading: Promise<WorkerCharts> | undefined;

  async svg(chart: Chart, signal: AbortSignal): Promise<string> {
    this.loading ??= import("./workerCharts.js").then(({ WorkerCharts }) => new WorkerCharts());
    return (await this.loading).svg(chart, signal);
  }
}
