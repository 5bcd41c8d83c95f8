import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Chart } from "../../core/charts/chart.js";
import { UserError } from "../../core/errors.js";
import type { Charts } from "../../core/ports/charts.js";
import type { ChartAnswer } from "./chartWorker.js";

export interface WorkerLimits {
  /** Milliseconds for one chart, including the loading of what draws it. */
  readonly timeoutMs: number;
  /** Milliseconds that the thread is kept for another chart. */
  readonly idleMs: number;
}

/**
 * Draws charts in a thread. The thread is ended when a chart takes too long or is aborted, and when no
 * further chart comes for a while.
 */
export class WorkerCharts implements Charts {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  /**
   * Resolves when the last chart is done: charts wait for one another, because the thread draws one at
   * a time.
   */
  private last: Promise<unknown> = Promise.resolve();

  constructor(private readonly limits: WorkerLimits = { timeoutMs: 15_000, idleMs: 20_000 }) {}

  svg(chart: Chart, signal: AbortSignal): Promise<string> {
    const drawn = this.last.then(() => this.draw(chart, signal));
    this.last = drawn.catch(() => undefined);
    return drawn;
  }

  private async draw(chart: Chart, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const worker = (this.worker ??= startWorker());
    const time = AbortSignal.timeout(this.limits.timeoutMs);
    try {
      const answer = await answerOf(worker, chart, AbortSignal.any([signal, time]));
      this.idle = setTimeout(() => {
        this.end(worker);
      }, this.limits.idleMs).unref();
      if ("svg" in answer) return answer.svg;
      throw new Error(`a chart that cannot be drawn: ${answer.error}`);
    } catch (error) {
      this.end(worker);
      signal.throwIfAborted();
      if (!time.aborted) throw error;
      throw new UserError(
        "drawingTooSlow",
        "Drawing took longer than {seconds} s and was stopped. Draw fewer points: aggregate them.",
        { seconds: this.limits.timeoutMs / 1000 },
      );
    }
  }

  private end(worker: Worker): void {
    this.worker = undefined;
    void worker.terminate();
  }
}

/** Starts the thread. In a bundle its script lies beside this file. */
function startWorker(): Worker {
  const options = {
    env: {},
    execArgv: [],
    stdin: false,
    trackUnmanagedFds: false,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  };
  const script =
    typeof __dirname === "string"
      ? join(__dirname, "chartWorker.cjs")
      : new URL("./chartWorker.js", import.meta.url);
  const worker = new Worker(script, options);
  // An idle thread must not keep the process from ending.
  worker.unref();
  return worker;
}

function answerOf(worker: Worker, chart: Chart, signal: AbortSignal): Promise<ChartAnswer> {
  // Only while it draws does the thread keep the process from ending.
  worker.ref();
  return new Promise((resolve, reject) => {
    const settle = () => {
      worker.unref();
      worker.off("message", answered).off("error", failed).off("exit", ended);
      signal.removeEventListener("abort", aborted);
    };
    const answered = (answer: ChartAnswer) => {
      settle();
      resolve(answer);
    };
    const failed = (error: Error) => {
      settle();
      reject(error);
    };
    const ended = (code: number) => {
      failed(new Error(`the thread that draws ended (${code})`));
    };
    const aborted = () => {
      failed(signal.reason as Error);
    };
    worker.on("message", answered).on("error", failed).on("exit", ended);
    signal.addEventListener("abort", aborted);
    worker.postMessage(chart);
  });
}
