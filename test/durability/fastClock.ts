import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../src/core/ports/system.js";

/** Returns a clock that is `speed` times as fast as the real one since `began`, the same in all processes. */
export function fastClock(began: number, speed: number): Clock {
  return {
    now: () => new Date(began + (Date.now() - began) * speed),
    sleep: async (ms, signal) => {
      await sleep(ms / speed, undefined, { signal });
    },
  };
}
