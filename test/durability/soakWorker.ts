/**
 * A process that works on one job after another with three runners, over a clock that is many times as fast as the real one:
 * `node --expose-gc soakWorker.js ROOT URL SPEED`. It begins the next job when it reads a line, and prints a line of JSON when that has
 * ended: {@link Soaked}.
 */
import { readdir } from "node:fs/promises";
import { createInterface } from "node:readline";
import { outerLoop } from "../../src/core/jobs/work/outerLoop.js";
import { ServerModel } from "../../src/node/model/serverModel.js";
import { diskJobs } from "../fakes/diskJobs.js";
import { fastClock } from "./fastClock.js";

/** How a job has ended, and what its process holds after it. */
export interface Soaked {
  readonly code: number;
  readonly reason: string;
  /** Mebibytes in use after a collection, and those of the whole process. */
  readonly heap: number;
  readonly rss: number;
  /** Open files, on Linux; 0 elsewhere. */
  readonly handles: number;
}

const [root = "", baseUrl = "", speed = "1"] = process.argv.slice(2);
const clock = fastClock(Date.now(), Number(speed));
const model = new ServerModel(() => Promise.resolve({ baseUrl, name: "m1", apiKey: "test-key" }));
// One world for all jobs, as a window has.
const world = diskJobs(root, { model, clock });
for await (const name of createInterface({ input: process.stdin })) {
  const end = await outerLoop(
    { name, startedBy: "person", runners: 3, quota: 12 },
    world,
    new AbortController().signal,
  );
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const soaked: Soaked = {
    code: end.code,
    reason: JSON.stringify(end.reason),
    heap: heapUsed / 2 ** 20,
    rss: rss / 2 ** 20,
    handles: (await readdir("/proc/self/fd").catch(() => [])).length,
  };
  process.stdout.write(`${JSON.stringify(soaked)}\n`);
}
