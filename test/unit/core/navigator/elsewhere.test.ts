import assert from "node:assert/strict";
import { does, JobStage } from "../../../fakes/jobStage.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const id = "ROO#TASK_1";
const marker = `.rooroo/locks/${id}.active`;
const signer = new PlainSigner();
const mark = signer.file(marker, { name: id, seen: [] });

/** Returns what a direct task that was begun and has not ended leaves on disk. */
function begun(): MemoryFileSystem {
  const record = {
    schema: 1,
    taskId: id,
    parentTaskId: null,
    planId: null,
    mode: "rooroo-developer",
    goal: "Do it",
    createdAt: "2025-01-02T03:04:05.000Z",
  };
  const path = `.rooroo/tasks/${id}/task.json`;
  return new MemoryFileSystem({
    [path]: signer.file(path, record),
    [`.rooroo/tasks/${id}/transcript.jsonl`]: "",
    [marker]: mark,
  });
}

describe("a job's session", () => {
  it("is no task: nobody offers to resume it, however it ended", async () => {
    const log = `---\ntitle: Trip\n---\n\n## Roadmap\n\n- [ ] 1. Go\n  - status: Pending\n\n## Work Log\n`;
    const job = new JobStage([does()], { ".jixo/trip.job.md": "Go.\n", ".jixo/trip.log.md": log });
    assert.equal((await job.run()).code, 0);
    const sessions = (await job.files.readDirectory(".rooroo/tasks")).map(({ name }) => name);
    assert.match(sessions.join(), /^ROO#JOB_\w+$/);
    const stage = new NavigatorStage([], { files: job.files });
    await stage.navigator.recover(() => false);
    assert.deepEqual(stage.notices, []);
  });
});

describe("a task that runs in another process", () => {
  it("is shown as running, offered to nobody, and keeps its mark", async () => {
    const stage = new NavigatorStage([], { files: begun() });
    const release = stage.lock.occupy("task-ROO-TASK_1");
    await stage.navigator.recover(() => false);
    assert.deepEqual(stage.notices, []);
    assert.equal(stage.files.text(marker), mark);
    assert.equal((await stage.navigator.overview()).tasks[0]?.state, "running");

    release();
    await stage.navigator.recover(() => false);
    assert.deepEqual(stage.notices, ['"Do it" was interrupted.']);
    assert.equal(stage.files.text(marker), undefined);
    assert.equal((await stage.navigator.overview()).tasks[0]?.state, "interrupted");
  });

  it("is waited for, and keeps its mark, when it is taken up there while others look what was cut off", async () => {
    const files = begun();
    const stage = new NavigatorStage([completes()], { files });
    let release: (() => void) | undefined;
    files.beforeOperation = (operation, path) => {
      // What was going on has been looked up by then.
      if (operation === "readDirectory" && path === ".rooroo/tasks") {
        release ??= stage.lock.occupy("task-ROO-TASK_1");
      }
    };
    await stage.navigator.recover(() => false, { goOn: true });
    assert.deepEqual(stage.notices, []);
    assert.equal(files.text(marker), mark);

    // There it is killed.
    await stage.clock.untilSleeping();
    release?.();
    stage.clock.advance(1000);
    while (stage.ends.length === 0 || stage.navigator.busy) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.deepEqual(stage.ends, ["Done: All good"]);
    assert.equal(files.text(marker), undefined);
  });

  it("is not in the way of work on the queue while another process only begins", async () => {
    const files = begun();
    const line = { taskId: "ROO#TASK_2", suggested_mode: "rooroo-developer", goal_for_expert: "x" };
    files.put(".rooroo/queue.jsonl", `${JSON.stringify(line)}\n`);
    const lock = new MemoryLock();
    const worker = new NavigatorStage([completes()], { files, lock });
    const beginner = new NavigatorStage([], { files, lock });
    const outcomes: Promise<unknown>[] = [];
    files.beforeOperation = (operation, path) => {
      if (operation === "removeFile" && path === marker) outcomes.push(worker.navigator.proceed());
    };
    await beginner.navigator.recover(() => false);
    assert.deepEqual(await Promise.all(outcomes), [{ status: "done" }]);
  });
});
