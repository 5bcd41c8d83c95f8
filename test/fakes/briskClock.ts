import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/core/ports/system.js";

/** The last wait of a request that is retried; longer ones are time limits. */
const longestMs = 4_500;
/** The rest of a list between two looks at its files. */
const restMs = 5_000;

/**
 * The machine's own time, with waits that last a tenth: what only lets others go first, or looks again, does so sooner.
 * Time limits last as long as they say, because no verdict is to depend on them.
 */
export class BriskClock implements Clock {
  now(): Date {
    return new Date();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const isBrief = ms <= longestMs || ms === restMs;
    try {
      await wait(isBrief ? ms / 10 : ms, undefined, { signal });
    } catch (error) {
      // Node throws its own error on an abort; the port's contract is the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  }
}
