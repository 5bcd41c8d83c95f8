import assert from "node:assert/strict";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";
import { NavigatorStage } from "../../fakes/navigatorWorld.js";

const id = "ROO#TASK_1";
const marker = `.rooroo/active/${id}`;

/** What a direct task that was begun and has not ended leaves on disk. */
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
  return new MemoryFileSystem({
    [`.rooroo/tasks/${id}/task.json`]: JSON.stringify(record),
    [`.rooroo/tasks/${id}/transcript.jsonl`]: "",
    [marker]: "",
  });
}

describe("a task that runs in another process", () => {
  it("is shown as running, offered to nobody, and keeps its mark", async () => {
    const stage = new NavigatorStage([], { files: begun() });
    const release = stage.lock.occupy("task-ROO-TASK_1");
    await stage.navigator.recover(() => false);
    assert.deepEqual(stage.notices, []);
    assert.equal(stage.files.text(marker), "");
    assert.equal((await stage.navigator.overview()).tasks[0]?.state, "running");

    release();
    await stage.navigator.recover(() => false);
    assert.deepEqual(stage.notices, [`Task \`${id}\` was interrupted.`]);
    assert.equal(stage.files.text(marker), undefined);
    assert.equal((await stage.navigator.overview()).tasks[0]?.state, "interrupted");
  });
});
