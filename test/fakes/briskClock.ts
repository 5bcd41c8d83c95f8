import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../../src/core/ports/system.js";

/**
 * The machine's own time, with waits that last a tenth: what only lets others go first, or looks again, does so sooner.
 * Waits of more than some seconds are meant, and last as long as they say.
 */
export class BriskClock implements Clock {
  now(): Date {
    return new Date();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    try {
      await wait(ms <= longestMs ? ms / 10 : ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}

const longestMs = 5_000;
