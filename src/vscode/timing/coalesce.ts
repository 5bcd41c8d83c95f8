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
export function coalesce(work: () => Promise<void>, delayMs: number): Coalesced {
  let timer: unknown;
  let running = false;
  let again = false;
  let disposed = false;
  const ask = () => {
    if (disposed || timer !== undefined) return;
    if (running) {
      again = true;
      return;
    }
    timer = setTimeout(() => void run(), delayMs);
  };
  const run = async () => {
    timer = undefined;
    running = true;
    try {
      await work();
    } finally {
      running = false;
      if (again) {
        again = false;
        ask();
      }
    }
  };
  return Object.assign(ask, {
    dispose: () => {
      disposed = true;
      clearTimeout(timer);
      timer = undefined;
    },
  });
}
