import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../core/ports/system.js";

/** The machine's own clock. */
export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await pause(ms, undefined, { signal });
    } catch (error) {
      // Node throws its own error on an abort; the port's contract is the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  }
}
