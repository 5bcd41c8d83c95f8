import { UserError } from "../errors.js";
import type { Clock } from "../ports.js";
import { jobNamed } from "./jobFolder.js";
import type { JobWorld } from "./jobWorld.js";
import { lifecycle, type LifecycleEnd } from "./lifecycle.js";
import { StopOrder } from "./stopOrder.js";

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

/** How often somebody who waits looks again. */
const lookMs = 2_000;
/** How soon a person's word is heard. */
const hearMs = 1_000;

/** Starts lifecycles until the triage, a person or a limit ends it (R-JIXO-3, R-JIXO-30). */
export async function outerLoop(
  run: JobRun,
  world: JobWorld,
  signal: AbortSignal,
): Promise<JobEnd> {
  const { stem } = await jobNamed(run.name, world.files);
  const order = new StopOrder(world.files, stem);
  const before = await order.read();
  const [ended, stopping] = [new AbortController(), new AbortController()];
  const listening = hear(order, before, stopping, world.experts.clock, ended.signal);
  try {
    return await loop(run, world, AbortSignal.any([signal, stopping.signal]));
  } finally {
    ended.abort();
    await listening;
  }
}

async function loop(run: JobRun, world: JobWorld, signal: AbortSignal): Promise<JobEnd> {
  const { runners, quota, most = Infinity, until, waits = false } = run;
  const { clock } = world.experts;
  const job = await jobNamed(run.name, world.files);
  if (job.file.model !== undefined) {
    const text = `The job file asks for the model ${job.file.model}.`;
    world.tell({ job: job.name, type: "notice", level: "info", text });
  }
  let [begun, failures] = [0, 0];
  let end: JobEnd | undefined;
  let waitsFor: string | undefined;
  const isStopped = () => signal.aborted;
  const active = new Set<Promise<LifecycleEnd>>();
  /** Until it is worth looking again; at once when somebody here has ended. */
  const pause = async (exit: LifecycleEnd & { type: "exit" }): Promise<void> => {
    if (exit.reason !== waitsFor) {
      const text = `${exit.reason} Waiting.`;
      world.tell({ job: job.name, type: "notice", level: "info", text });
    }
    waitsFor = exit.reason;
    const now = clock.now().getTime();
    const due = [exit.again, until].flatMap((time) => (time ? [time.getTime() - now] : []));
    const awake = new AbortController();
    const slept = clock
      .sleep(Math.max(1, Math.min(lookMs, ...due)), AbortSignal.any([signal, awake.signal]))
      .catch(() => undefined);
    await Promise.race([slept, ...active]).catch(() => undefined);
    awake.abort();
  };
  const one = async (): Promise<void> => {
    while (end === undefined) {
      if (isStopped()) end = halted.stopped;
      else if (begun >= most) end = { code: 2, reason: "Work is left: run the job again." };
      else if (until !== undefined && clock.now() >= until) {
        end = { code: 2, reason: "The time is up, and work is left: run the job again." };
      } else if (failures >= patience) {
        const reason = `${patience} lifecycles in a row got nothing done. Read the log, change the job or the plan, then run it again.`;
        end = { code: 1, reason };
      } else {
        begun++;
        const running = lifecycle(job, quota, world, signal);
        active.add(running);
        const result = await running.finally(() => active.delete(running));
        if (result.type !== "exit") waitsFor = undefined;
        if (result.type === "worked") failures = result.result === "Succeeded" ? 0 : failures + 1;
        else if (result.type === "halted") {
          end ??= isStopped() ? halted.stopped : halted.needed;
        } else {
          begun--;
          const { code, reason } = result;
          const mayPass = code === 2 || result.again !== undefined;
          // Others of this process may make work when they end; it looks again then.
          if (code === 2 && active.size > 0 && !waits) await Promise.race(active);
          else if (waits && mayPass) await pause(result);
          else end ??= { code, reason };
        }
      }
    }
  };
  const guarded = async (): Promise<void> => {
    try {
      await one();
    } catch (error) {
      end ??= { code: 1, reason: "A lifecycle broke." };
      throw error;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: runners }, guarded));
  for (const one of ended) if (one.status === "rejected") throw one.reason;
  return end ?? halted.stopped;
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
