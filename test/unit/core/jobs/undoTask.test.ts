import assert from "node:assert/strict";
import type { UndoneFile } from "../../../../src/core/changes/taskChanges.js";
import { UserError } from "../../../../src/core/errors.js";
import { jobNamed } from "../../../../src/core/jobs/documents/jobFolder.js";
import { setTaskBack, undoable } from "../../../../src/core/jobs/undoTask.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";

const logPath = ".jixo/trip.log.md";
const log = `## Roadmap
- [x] 1. Pack
  - status: Completed
- [ ] 2. Go
  - status: Locked
  - runner: trip-1111
`;
const left: UndoneFile = {
  path: "kept.txt",
  type: "left",
  why: "failed",
  problem: new UserError("kept", "It stays."),
};

describe("a job's task whose changes are undone", () => {
  let files: MemoryFileSystem;
  beforeEach(() => {
    files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n", [logPath]: log });
  });

  async function setBack(...undone: readonly UndoneFile[]): Promise<boolean> {
    const job = await jobNamed("trip", files);
    const task = job.log.tasks.find(({ id }) => id === "1");
    assert.ok(task !== undefined);
    return setTaskBack(job, task, undone, {
      files,
      lock: new MemoryLock(),
      clock: new ManualClock(),
    });
  }

  it("is to be done anew once a file of it is as before, or gone as before", async () => {
    for (const type of ["restored", "removed"] as const) {
      await files.replaceFile(logPath, log);
      assert.equal(await setBack({ path: "a.txt", type }, left), true);
      const text = files.text(logPath) ?? "";
      assert.match(text, /- \[ \] 1\. Pack\n +- status: Pending\n/);
      assert.match(text, /had changed: a\.txt\. Left as they are: kept\.txt\./);
    }
  });

  it("stays as it is where no file of it was undone", async () => {
    assert.equal(await setBack({ path: "a.txt", type: "unchanged" }, left), false);
    assert.equal(files.text(logPath), log);
  });

  it("is none on which a runner works, or of which the log names no session", async () => {
    const job = await jobNamed("trip", files);
    assert.throws(() => undoable(job, "2"), { code: "jobTaskAtWork" });
    assert.throws(() => undoable(job, "1"), { code: "jobTaskWithoutSession" });
    assert.throws(() => undoable(job, "3"), { code: "roadmapTaskUnknown" });
  });
});
