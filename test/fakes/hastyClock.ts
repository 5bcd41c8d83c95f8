import { ManualClock } from "./manualClock.js";

/** Time that passes at once, as soon as somebody waits for it. */
export class HastyClock extends ManualClock {
  override sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.advance(ms);
    return Promise.resolve();
  }
}
