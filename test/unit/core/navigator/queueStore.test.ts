import assert from "node:assert/strict";
import {
  anyExpert,
  formatQueueEntry,
  type QueueEntry,
} from "../../../../src/core/documents/queue.js";
import { queuePath } from "../../../../src/core/navigator/queue/queuePath.js";
import { QueueStore } from "../../../../src/core/navigator/queue/queueStore.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";

const entry = (id: string): QueueEntry => ({
  taskId: `ROO#${id}`,
  parentTaskId: null,
  mode: "rooroo-developer",
  goal: id,
  contextPath: `.rooroo/tasks/ROO#${id}/context.md`,
  planId: null,
  autoProceed: true,
});
const line = (id: string) => `${formatQueueEntry(entry(id))}\n`;

function queueOf(files: MemoryFileSystem): QueueStore {
  return new QueueStore(files, new MemoryLock(), anyExpert);
}

/** Saves the file, as an editor that knows of no lock, just before each of so many writes. */
function edited(files: MemoryFileSystem, text: (time: number) => string, times: number): void {
  let time = 0;
  files.beforeOperation = (operation, path) => {
    if (path !== queuePath || !/^(replaceFile|createFile)$/.test(operation)) return;
    if (++time <= times) files.put(queuePath, text(time));
  };
}

describe("the queue's file", () => {
  it("keeps what an editor saves between the look and the write", async () => {
    const files = new MemoryFileSystem({ [queuePath]: line("A") });
    edited(files, (time) => `# ${time}\n${line("B")}${line("A")}`, 2);
    await queueOf(files).remove("ROO#A");
    assert.equal(files.text(queuePath), `# 2\n${line("B")}`);
  });

  it("keeps what an editor saves where there was no file", async () => {
    const files = new MemoryFileSystem();
    edited(files, () => line("B"), 1);
    await queueOf(files).putAtHead([entry("A")]);
    assert.equal(files.text(queuePath), line("A") + line("B"));
  });

  it("gives way to a program that saves it without end, and says so", async () => {
    const files = new MemoryFileSystem({ [queuePath]: line("A") });
    edited(files, (time) => `# ${time}\n${line("A")}`, Infinity);
    await assert.rejects(queueOf(files).remove("ROO#A"), {
      code: "documentBusy",
      params: { path: ".rooroo/queue.jsonl" },
    });
    assert.match(files.text(queuePath) ?? "", /^# \d+\n/);
  });
});
