/** Does something soon after it was asked for, and once for all who asked in between. */
export interface Coalesced {
  (): void;
  dispose(): void;
}

/**
 * @param work never runs twice at a time; when asked for while it runs, it runs once more
 * @param delayMs from the first asking to the start
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
