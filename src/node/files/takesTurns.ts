import { setImmediate as turn } from "node:timers/promises";

/** Milliseconds that long work on the disk may run before other work gets its turn. */
const turnMs = 8;

/**
 * Returns a function to be awaited between the short synchronous calls of long work. It lets other work
 * have its turn when it is time.
 */
export function takesTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await turn();
    since = performance.now();
  };
}
