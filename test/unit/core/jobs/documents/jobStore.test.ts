import assert from "node:assert/strict";
import { editJobLog } from "../../../../../src/core/jobs/documents/editJobLog.js";
import { jobNamed } from "../../../../../src/core/jobs/documents/jobFolder.js";
import { JobStore } from "../../../../../src/core/jobs/documents/jobStore.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../../fakes/memoryLock.js";

describe("a job's log, between several who change it", () => {
  it("[R-JIXO-29] is locked around each change, one by one, and each gets what it says then", async () => {
    const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n" });
    const lock = new MemoryLock();
    const stores = await Promise.all(
      [1, 2, 3].map(async () => new JobStore(files, lock, await jobNamed("trip", files))),
    );
    let inside = 0;
    const seen: string[] = [];
    const change = (store: JobStore, number: number) =>
      store.changeLog(async ({ log }) => {
        assert.equal(++inside, 1);
        seen.push(log.tasks.map(({ id }) => id).join(" "));
        await Promise.resolve();
        inside--;
        const items = [{ text: `${number}. Task` }];
        return { log: editJobLog(log, [{ type: "addItems", items }], 2), result: number };
      });
    assert.deepEqual(
      await Promise.all(stores.map((store, index) => change(store, index + 1))),
      [1, 2, 3],
    );
    assert.deepEqual(seen, ["", "1", "1 2"]);
  });

  it("[R-JIXO-29] is free again when a change breaks, and unchanged", async () => {
    const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n" });
    const store = new JobStore(files, new MemoryLock(), await jobNamed("trip", files));
    await assert.rejects(
      store.changeLog(() => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.equal(files.text(".jixo/trip.log.md"), undefined);
    await store.changeLog(({ log }) => Promise.resolve({ log, result: undefined }));
  });

  it("[R-JIXO-29] is done again on what it says when somebody writes it by hand meanwhile", async () => {
    const path = ".jixo/trip.log.md";
    const old: Record<string, string> = { [path]: "## Roadmap\n- [ ] 0. Old\n" };
    for (const before of [{}, old]) {
      const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n", ...before });
      const store = new JobStore(files, new MemoryLock(), await jobNamed("trip", files));
      let times = 0;
      await store.changeLog(({ log }) => {
        if (times++ === 0) files.put(path, "## Roadmap\n- [ ] 1. Mine\n");
        const items = [{ text: "2. Task" }];
        const edited = editJobLog(log, [{ type: "addItems", items }], 2);
        return Promise.resolve({ log: edited, result: undefined });
      });
      assert.equal(times, 2);
      assert.match(files.text(path) ?? "", /- \[ \] 1\. Mine\n- \[ \] 2\. Task\n/);
    }
  });

  it("[R-JIXO-29] is looked at again while an editor that saves in place has it emptied", async () => {
    const path = ".jixo/trip.log.md";
    const saved = "## Roadmap\n- [ ] 1. Mine\n";
    const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n", [path]: "" });
    const store = new JobStore(files, new MemoryLock(), await jobNamed("trip", files));
    const stat = files.stat.bind(files);
    let looks = 0;
    files.stat = async (asked) => {
      const found = await stat(asked);
      if (asked === path && ++looks === 3) await files.replaceFile(path, saved);
      return found;
    };
    const items = [{ text: "2. Task" }];
    const read = await store.changeLog(({ log }) => {
      const edit = { type: "addItems", items } as const;
      return Promise.resolve({ log: editJobLog(log, [edit], 2), result: log.tasks });
    });
    assert.deepEqual(
      read.map(({ title }) => title),
      ["Mine"],
    );
    assert.match(files.text(path) ?? "", /- \[ \] 1\. Mine\n- \[ \] 2\. Task\n/);
  });

  it("[R-JIXO-29] is decided on anew where it says something else by then, though nothing was to be written", async () => {
    const path = ".jixo/trip.log.md";
    const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n", [path]: "torn" });
    const store = new JobStore(files, new MemoryLock(), await jobNamed("trip", files));
    const seen: string[] = [];
    await store.changeLog(async ({ log }) => {
      seen.push(log.lines.text);
      await files.replaceFile(path, "## Roadmap\n- [ ] 1. Mine\n");
      return { log, result: undefined };
    });
    assert.deepEqual(seen, ["torn", "## Roadmap\n- [ ] 1. Mine\n"]);
  });

  it("is taken for empty when it stays so", async () => {
    const path = ".jixo/trip.log.md";
    const files = new MemoryFileSystem({ ".jixo/trip.job.md": "Plan a trip.\n", [path]: "" });
    const store = new JobStore(files, new MemoryLock(), await jobNamed("trip", files));
    const items = [{ text: "1. Go" }];
    await store.changeLog(({ log }) => {
      const edit = { type: "addItems", items } as const;
      return Promise.resolve({ log: editJobLog(log, [edit], 2), result: undefined });
    });
    assert.match(files.text(path) ?? "", /- \[ \] 1\. Go\n/);
  });
});
