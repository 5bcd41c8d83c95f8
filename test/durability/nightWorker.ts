/**
 * A process that works on the job `night` with six runners, over a clock that is many times as fast as the real one:
 * `node nightWorker.js ROOT BEGAN SPEED`. Prints how the loop ended.
 */
import { outerLoop } from "../../src/core/jobs/work/outerLoop.js";
import { diskJobs } from "../fakes/diskJobs.js";
import { fastClock } from "./fastClock.js";
import { nightModel } from "./nightModel.js";

const [root = "", given = "0", speed = "1"] = process.argv.slice(2);
const began = Number(given);
const clock = fastClock(began, Number(speed));
const world = diskJobs(root, { model: nightModel(clock, new Date(began)), clock });
const run = { name: "night", startedBy: "person", runners: 6, quota: 12 } as const;
const end = await outerLoop(run, world, new AbortController().signal);
process.stdout.write(JSON.stringify(end));
process.exit(0);
