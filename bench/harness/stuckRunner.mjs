// A process that has a task of a job and waits for its model for ever: `node stuckRunner.mjs ROOT`.
import { compiled } from "./compiled.mjs";
import { jobWorldAt } from "./jobWorldAt.mjs";

const [root = ""] = process.argv.slice(2);
const world = await jobWorldAt(root, {
  asked: () => {
    process.send?.("asked");
    return new Promise(() => {});
  },
});
const { outerLoop } = await compiled("core/jobs/work/outerLoop");
await outerLoop(
  { name: "bench", startedBy: "person", runners: 1, quota: 10 },
  world,
  new AbortController().signal,
);
