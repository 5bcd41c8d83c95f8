import { UserError } from "../../core/errors.js";
import type { Clock } from "../../core/ports/system.js";
import type { TeamClaim, TeamQueue, TeamWorker } from "../../core/ports/teamQueue.js";

/** Milliseconds after which a worker with a free slot looks for a task although it has heard of none. */
const lookMs = 10_000;
/**
 * The shortest and the longest time, in milliseconds, within which a worker looks after it has heard of a task. Those that
 * come too late wait longer the next time, so that of many idle workers few ask for one task.
 */
const soonMs = 20;
const lateMs = 2_000;

export interface WorkOffOptions {
  readonly slots: number;
  readonly queue: Pick<TeamQueue, "claim" | "onReady">;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
  /** Called with each error that does not end the worker, and without one when the queue could be asked. */
  readonly trouble: (error: Error | undefined) => void;
}

/**
 * Claims tasks and works on them, as many at once as there are slots, until it is stopped; then waits for these. It claims
 * when a slot is free: at once when a task has ended, soon after it has heard of one, and otherwise now and then.
 */
export async function workOff(
  worker: TeamWorker,
  options: WorkOffOptions,
  work: (claim: TeamClaim) => Promise<void>,
): Promise<void> {
  const { slots, queue, signal, clock, random, trouble } = options;
  const busy = new Set<Promise<void>>();
  let hint = new Hint();
  let patience = lateMs;
  const stopHearing = queue.onReady(worker, () => {
    hint.give();
  });
  /** Returns after a time, or when a task or the worker has ended before. */
  const rest = async (ms: number, ...others: readonly Promise<void>[]): Promise<void> => {
    const waking = new AbortController();
    const pause = clock.sleep(ms, AbortSignal.any([signal, waking.signal])).catch(() => undefined);
    await Promise.race([pause, ...busy, ...others]);
    waking.abort();
  };
  try {
    while (!signal.aborted) {
      const isHinted = hint.isGiven;
      hint = new Hint();
      let claims: readonly TeamClaim[] = [];
      try {
        claims = await queue.claim(worker, slots - busy.size);
        trouble(undefined);
      } catch (error) {
        // The server is restarted or away.
        if (!(error instanceof UserError)) throw error;
        trouble(error);
      }
      if (isHinted) {
        patience =
          claims.length > 0 ? Math.max(soonMs, patience / 2) : Math.min(lateMs, patience * 2);
      }
      for (const claim of claims) {
        const one: Promise<void> = work(claim)
          .catch((error: unknown) => {
            trouble(error instanceof Error ? error : new Error(String(error)));
          })
          .finally(() => busy.delete(one));
        busy.add(one);
      }
      if (busy.size < slots) {
        const before = busy.size;
        await rest(lookMs * (0.5 + random() / 2), hint.given);
        // A slot that has just become free does not wait for the others.
        if (hint.isGiven && busy.size === before) await rest(patience * random());
      }
      if (busy.size === slots) await Promise.race(busy);
    }
  } finally {
    stopHearing();
  }
  await Promise.all(busy);
}

/** Something that one can wait to hear. */
class Hint {
  isGiven = false;
  readonly given: Promise<void>;
  #resolve: () => void = () => undefined;

  constructor() {
    this.given = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  give(): void {
    this.isGiven = true;
    this.#resolve();
  }
}
