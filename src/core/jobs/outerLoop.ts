import { UserError } from "../errors.js";
import type { Clock } from "../ports.js";
import { type Job, jobNamed } from "./jobFolder.js";
import type { JobWorld } from "./jobWorld.js";
import { lifecycle } from "./lifecycle.js";
import { StopOrder } from "./stopOrder.js";
import type { Exit } from "./triage.js";

export interface JobRun {
  readonly name: string;
  /** At a time, by this process; at least 1. */
  readonly runners: number;
  /** Turns of one lifecycle; at least 1. */
  readonly quota: number;
  /** Lifecycles in all, those that find nothing to do not counted; `undefined`: until the job ends. */
  readonly most?: number | undefined;
  /** No lifecycle begins then or later. */
  readonly until?: Date | undefined;
  /** For other runners to end, and for the next cycle of a periodic job, instead of ending itself. */
  readonly waits?: boolean;
}

export interface JobEnd {
  /** As the protocol has them: 0 the job is complete, 1 it cannot go on, 2 others are at it, or work is left. */
  readonly code: 0 | 1 | 2;
  readonly reason: string;
}

const halted: Readonly<Record<"stopped" | "needed", JobEnd>> = {
  stopped: { code: 1, reason: "Stopped. Run the job again to go on." },
  /** Why is told, and in the log. */
  needed: { code: 1, reason: "The job has stopped. Run it again to go on." },
};

/** Lifecycles in a row that may pass without one that succeeds. */
const patience = 20;

/** How often somebody who waits looks again, at the most. */
const lookMs = 2_000;
/** How much of the time goes into looks where the log is long: they keep others from it. */
const lookShare = 0.05;
/** How soon a person's word is heard. */
const hearMs = 1_000;

/** Starts lifecycles until the triage, a person or a limit ends it (R-JIXO-3, R-JIXO-30). */
export async function outerLoop(
  run: JobRun,
  world: JobWorld,
  signal: AbortSignal,
): Promise<JobEnd> {
  const job = await jobNamed(run.name, world.files);
  const order = new StopOrder(world.files, job.stem);
  const before = await order.read();
  const [ended, stopping] = [new AbortController(), new AbortController()];
  const listening = hear(order, before, stopping, world.experts.clock, ended.signal);
  try {
    return await new OuterLoop(job, run, world, AbortSignal.any([signal, stopping.signal])).run();
  } finally {
    ended.abort();
    await listening;
  }
}

/** The runners of one process, and what they know of each other. */
class OuterLoop {
  /** Lifecycles that have worked, or may yet. */
  #begun = 0;
  /** Lifecycles that are going on, those that only look among them. */
  #active = 0;
  #failures = 0;
  #waitsFor: string | undefined;
  #end: JobEnd | undefined;
  /** Aborted, and another in its place, whenever one of the runners has worked, or all is over. */
  #news = new AbortController();

  constructor(
    private readonly job: Job,
    private readonly limits: JobRun,
    private readonly world: JobWorld,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<JobEnd> {
    const { file } = this.job;
    if (file.model !== undefined) this.#tell(`The job file asks for the model ${file.model}.`);
    const runners = Array.from({ length: this.limits.runners }, () => this.#runner());
    for (const one of await Promise.allSettled(runners)) {
      if (one.status === "rejected") throw one.reason;
    }
    return this.#end ?? halted.stopped;
  }

  async #runner(): Promise<void> {
    try {
      while (this.#end === undefined) {
        const over = this.#limit();
        if (over === undefined) await this.#lifecycle();
        else this.#finish(over);
      }
    } catch (error) {
      this.#finish({ code: 1, reason: "A lifecycle broke." });
      throw error;
    }
  }

  /** Why no lifecycle begins any more. */
  #limit(): JobEnd | undefined {
    const { most = Infinity, until } = this.limits;
    if (this.signal.aborted) return halted.stopped;
    if (this.#begun >= most) return { code: 2, reason: "Work is left: run the job again." };
    if (until !== undefined && this.world.experts.clock.now() >= until) {
      return { code: 2, reason: "The time is up, and work is left: run the job again." };
    }
    if (this.#failures < patience) return undefined;
    const reason = `${patience} lifecycles in a row got nothing done. Read the log, change the job or the plan, then run it again.`;
    return { code: 1, reason };
  }

  async #lifecycle(): Promise<void> {
    this.#begun++;
    this.#active++;
    const newer = this.#news.signal;
    const { job, world, signal } = this;
    const { clock } = world.experts;
    const since = clock.now().getTime();
    const result = await lifecycle(job, this.limits.quota, world, signal).finally(
      () => this.#active--,
    );
    if (result.type === "exit") {
      this.#begun--;
      // What it has not found may be there since another of this process has worked.
      if (!newer.aborted) await this.#stand(result, newer, clock.now().getTime() - since);
      return;
    }
    this.#waitsFor = undefined;
    if (result.type === "worked") {
      this.#failures = result.result === "Succeeded" ? 0 : this.#failures + 1;
      this.#tellNews();
    } else this.#finish(this.signal.aborted ? halted.stopped : halted.needed);
  }

  /** There is nothing to do: ends the loop, or waits until it is worth looking again. */
  async #stand(exit: Exit, newer: AbortSignal, lookedMs: number): Promise<void> {
    if (this.limits.waits === true && (exit.code === 2 || exit.again !== undefined)) {
      if (exit.reason !== this.#waitsFor) this.#tell(`${exit.reason} Waiting.`);
      this.#waitsFor = exit.reason;
    } else if (exit.code !== 2 || this.#active === 0) {
      this.#finish({ code: exit.code, reason: exit.reason });
      return;
    }
    const { clock } = this.world.experts;
    const now = clock.now().getTime();
    const due = [exit.again, this.limits.until].flatMap((time) =>
      time === undefined ? [] : [time.getTime() - now],
    );
    const pauseMs = Math.max(lookMs, lookedMs / lookShare);
    await clock
      .sleep(Math.max(1, Math.min(pauseMs, ...due)), AbortSignal.any([this.signal, newer]))
      .catch(() => undefined);
  }

  #finish(end: JobEnd): void {
    this.#end ??= end;
    this.#tellNews();
  }

  #tellNews(): void {
    const told = this.#news;
    this.#news = new AbortController();
    told.abort();
  }

  #tell(text: string): void {
    this.world.tell({ job: this.job.name, type: "notice", level: "info", text });
  }
}

/** Aborts `stopping` when somebody gives another order than there was before. */
async function hear(
  order: StopOrder,
  before: string,
  stopping: AbortController,
  clock: Clock,
  ended: AbortSignal,
): Promise<void> {
  try {
    for (;;) {
      await clock.sleep(hearMs, ended);
      if ((await order.read()) === before) continue;
      stopping.abort(new UserError("Stopped by the user"));
      return;
    }
  } catch (error) {
    if (!ended.aborted) stopping.abort(error);
  }
}
