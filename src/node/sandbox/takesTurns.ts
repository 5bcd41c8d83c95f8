import { setImmediate as turn } from "node:timers/promises";

/** For so long, in milliseconds, a long work on the disk keeps everybody else waiting. */
const turnMs = 8;

/**
 * For a long work of many short calls that do not wait: what this makes is to be awaited between
 * them, and lets others have their turn when it is time.
 */
export function takesTurns(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await turn();
    since = performance.now();
  };
}
