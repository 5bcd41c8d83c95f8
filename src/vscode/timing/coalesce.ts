import type { Clock } from "../../core/ports/system.js";

/** Schedules work; all calls before it starts share one run. */
export interface Coalesced {
  (): void;
  dispose(): void;
}

/**
 * Returns a function that runs `work` after a delay, once for all calls in between.
 *
 * @param work never runs concurrently; if called for while it runs, it runs once more
 * @param delayMs milliseconds from the first call to the start of `work`
 */
export function coalesce(work: () => Promise<void>, delayMs: number, clock: Clock): Coalesced {
  const end = new AbortController();
  let waiting = false;
  let running = false;
  let isRequested = false;
  const ask = () => {
    if (end.signal.aborted || waiting) return;
    if (running) {
      isRequested = true;
      return;
    }
    waiting = true;
    void clock.sleep(delayMs, end.signal).then(run, () => undefined);
  };
  const run = async () => {
    waiting = false;
    running = true;
    try {
      await work();
    } finally {
      running = false;
      if (isRequested) {
        isRequested = false;
        ask();
      }
    }
  };
  return Object.assign(ask, {
    dispose: () => {
      end.abort();
    },
  });
}
