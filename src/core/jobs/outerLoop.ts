import { jobNamed } from "./jobFolder.js";
import type { JobWorld } from "./jobWorld.js";
import { lifecycle, type LifecycleEnd } from "./lifecycle.js";

export interface JobRun {
  readonly name: string;
  /** At a time, by this process; at least 1. */
  readonly runners: number;
  /** Turns of one lifecycle; at least 1. */
  readonly quota: number;
  /** Lifecycles in all, those that find nothing to do not counted; `undefined`: until the job ends. */
  readonly most: number | undefined;
}

export interface JobEnd {
  /** As the protocol has them: 0 the job is complete, 1 it cannot go on, 2 others are at it, or work is left. */
  readonly code: 0 | 1 | 2;
  readonly reason: string;
}

/** Why is told, and in the log. */
const halted = "The job has stopped. Run it again to go on.";

/** Lifecycles in a row that may pass without one that succeeds. */
const patience = 20;

/** Starts lifecycles until the triage, a person or a limit ends it (R-JIXO-3, R-JIXO-30). */
export async function outerLoop(
  { name, runners, quota, most = Infinity }: JobRun,
  world: JobWorld,
  signal: AbortSignal,
): Promise<JobEnd> {
  const job = await jobNamed(name, world.files);
  let [begun, failures] = [0, 0];
  let end: JobEnd | undefined;
  const active = new Set<Promise<LifecycleEnd>>();
  const one = async (): Promise<void> => {
    while (end === undefined) {
      if (signal.aborted) end = { code: 1, reason: "Stopped." };
      else if (begun >= most) end = { code: 2, reason: "Work is left: run the job again." };
      else if (failures >= patience) {
        const reason = `${patience} lifecycles in a row got nothing done. Read the log, change the job or the plan, then run it again.`;
        end = { code: 1, reason };
      } else {
        begun++;
        const running = lifecycle(job, quota, world, signal);
        active.add(running);
        const result = await running.finally(() => active.delete(running));
        if (result.type === "worked") failures = result.result === "Succeeded" ? 0 : failures + 1;
        else if (result.type === "halted") end ??= { code: 1, reason: halted };
        else {
          begun--;
          // Others of this process may make work when they end; it looks again then.
          if (result.code === 2 && active.size > 0) await Promise.race(active);
          else end ??= { code: result.code, reason: result.reason };
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
  return end ?? { code: 1, reason: "Stopped." };
}
