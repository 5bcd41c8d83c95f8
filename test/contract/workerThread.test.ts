import assert from "node:assert/strict";
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { ThreadTooSlow, WorkerThread } from "../../src/node/threads/workerThread.js";

const limits = { timeoutMs: 300_000, idleMs: 300_000 };
const never = new AbortController().signal;

describe("WorkerThread", () => {
  it("is started anew where it has failed between two questions, and the process lives on", async () => {
    const script = `
      import { parentPort } from "node:worker_threads";
      parentPort.on("message", (question) => {
        if (question === "fail") throw new Error("It has failed.");
        parentPort.postMessage("answer to " + question);
      });`;
    const source = () => new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const thread = new WorkerThread<string, string>("late", source, limits);
    const started = once(process, "worker");
    const first = thread.ask("one", never);
    const [worker] = (await started) as [Worker];
    assert.equal(await first, "answer to one");
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.ref();
    worker.postMessage("fail");
    await ended;
    assert.equal(await thread.ask("two", never), "answer to two");
  });

  it("has 512 MB, no environment of ours, and the time that it is given", async () => {
    const script = `
      import { parentPort, resourceLimits } from "node:worker_threads";
      parentPort.on("message", (question) => {
        while (question === "work without end");
        parentPort.postMessage([resourceLimits.maxOldGenerationSizeMb, process.env.PATH]);
      });`;
    const source = () => new URL(`data:text/javascript,${encodeURIComponent(script)}`);
    const thread = new WorkerThread<string, unknown>("endless", source, limits);
    assert.deepEqual(await thread.ask("what may you use?", never), [512, undefined]);
    const hurried = new WorkerThread("endless", source, { timeoutMs: 1, idleMs: 1 });
    await assert.rejects(hurried.ask("work without end", never), ThreadTooSlow);
  });
});
