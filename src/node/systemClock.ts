import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../core/ports.js";

/** The machine's time. */
export class SystemClock implements Clock {
  now(): Date {
    return new Date();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await pause(ms, undefined, { signal });
    } catch (error) {
      // Node throws an error of its own kind; the port says the signal's reason.
      signal.throwIfAborted();
      throw error;
    }
  }
}
