import { join } from "node:path";
import { Worker } from "node:worker_threads";

export interface ThreadLimits {
  /** Milliseconds for one answer, including the loading of what works it out. */
  readonly timeoutMs: number;
  /** Milliseconds that the thread is kept for another question. */
  readonly idleMs: number;
}

/** The thread took longer than its limit, and was ended. */
export class ThreadTooSlow extends Error {}

/**
 * A thread that answers one question after another. It is started at the first, and ended when an answer takes too long
 * or its signal aborts, and when no further question comes for a while.
 */
export class WorkerThread<Question, Answer> {
  private worker: Worker | undefined;
  private idle: NodeJS.Timeout | undefined;
  /** Resolves when the last question is answered: they wait for one another. */
  private last: Promise<unknown> = Promise.resolve();

  /**
   * @param name that of the thread's script, as in `chartWorker`. In a bundle it lies beside this file as `NAME.cjs`
   * @param source the script's address where nothing is bundled
   */
  constructor(
    private readonly name: string,
    private readonly source: () => URL,
    private readonly limits: ThreadLimits,
  ) {}

  /**
   * Returns the thread's answer.
   *
   * @throws {@link ThreadTooSlow}, an error if the thread ends meanwhile, as when it needs too much memory, and the
   * signal's reason when the signal aborts
   */
  ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const answered = this.last.then(() => this.answer(question, signal));
    this.last = answered.catch(() => undefined);
    return answered;
  }

  private async answer(question: Question, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    clearTimeout(this.idle);
    const worker = (this.worker ??= this.start());
    const time = AbortSignal.timeout(this.limits.timeoutMs);
    try {
      const answer = await answerOf<Answer>(worker, question, AbortSignal.any([signal, time]));
      this.idle = setTimeout(() => {
        this.end(worker);
      }, this.limits.idleMs).unref();
      return answer;
    } catch (error) {
      this.end(worker);
      signal.throwIfAborted();
      throw time.aborted ? new ThreadTooSlow() : error;
    }
  }

  private end(worker: Worker): void {
    this.worker = undefined;
    void worker.terminate();
  }

  private start(): Worker {
    const options = {
      env: {},
      execArgv: [],
      stdin: false,
      // A library must not print into our own output. Nobody reads these streams.
      stdout: true,
      stderr: true,
      trackUnmanagedFds: false,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    };
    const script =
      typeof __dirname === "string" ? join(__dirname, `${this.name}.cjs`) : this.source();
    const worker = new Worker(script, options);
    // An idle thread must not keep the process from ending.
    worker.unref();
    // What it has left running may fail after its answer. That must not end this process; the next question starts another.
    const gone = () => {
      if (this.worker === worker) this.worker = undefined;
    };
    worker.on("error", gone).on("exit", gone);
    return worker;
  }
}

function answerOf<Answer>(worker: Worker, question: unknown, signal: AbortSignal): Promise<Answer> {
  // Only while it works does the thread keep the process from ending.
  worker.ref();
  return new Promise((resolve, reject) => {
    const settle = () => {
      worker.unref();
      worker.off("message", answered).off("error", failed).off("exit", ended);
      signal.removeEventListener("abort", aborted);
    };
    const answered = (answer: Answer) => {
      settle();
      resolve(answer);
    };
    const failed = (error: Error) => {
      settle();
      reject(error);
    };
    const ended = (code: number) => {
      failed(new Error(`the thread ended (${code})`));
    };
    const aborted = () => {
      failed(signal.reason as Error);
    };
    worker.on("message", answered).on("error", failed).on("exit", ended);
    signal.addEventListener("abort", aborted);
    worker.postMessage(question);
  });
}
