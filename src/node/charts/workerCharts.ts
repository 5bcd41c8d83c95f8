import type { Chart } from "../../core/charts/chart.js";
import { UserError } from "../../core/errors.js";
import type { Charts } from "../../core/ports/charts.js";
import { type ThreadLimits, ThreadTooSlow, WorkerThread } from "../threads/workerThread.js";
import type { ChartAnswer } from "./chartWorker.js";

/** Draws charts in a thread. */
export class WorkerCharts implements Charts {
  private readonly thread: WorkerThread<Chart, ChartAnswer>;

  constructor(private readonly limits: ThreadLimits = { timeoutMs: 15_000, idleMs: 20_000 }) {
    const source = () => new URL("./chartWorker.js", import.meta.url);
    this.thread = new WorkerThread("chartWorker", source, limits);
  }

  async svg(chart: Chart, signal: AbortSignal): Promise<string> {
    try {
      const answer = await this.thread.ask(chart, signal);
      if ("svg" in answer) return answer.svg;
      throw new Error(`a chart that cannot be drawn: ${answer.error}`);
    } catch (error) {
      if (!(error instanceof ThreadTooSlow)) throw error;
      throw new UserError(
        "drawingTooSlow",
        "Drawing took longer than {seconds} s and was stopped. Draw fewer points: aggregate them.",
        { seconds: this.limits.timeoutMs / 1000 },
      );
    }
  }
}
