import { setTimeout as wait } from "node:timers/promises";
import { ManualClock } from "./manualClock.js";

/** Time that passes a thousand times as fast. A loop that looks again and again leaves time for the rest. */
export class HastyClock extends ManualClock {
  override async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.advance(ms);
    await wait(Math.max(1, ms / 1000), undefined, { signal });
  }
}
