import assert from "node:assert/strict";
import * as z from "zod/mini";
import { namedWork, ResumeStore } from "../../../../src/vscode/workspace/resumeStore.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

describe("ResumeStore", () => {
  /** Returns a store on these files, and the warnings that it has logged. */
  function opened(files: MemoryFileSystem | undefined) {
    const warnings: string[] = [];
    const log = { warn: (text: string) => void warnings.push(text) };
    return { warnings, store: new ResumeStore(files, log).record("task", namedWork) };
  }

  it("keeps work until it is removed, for the next process too", async () => {
    const files = new MemoryFileSystem({});
    const { store } = opened(files);
    void store.set("a", { name: "a" });
    void store.set("b", { name: "b" });
    await store.set("a", undefined);
    assert.deepEqual(await store.read(), [{ name: "b" }]);
    assert.deepEqual(await opened(files).store.read(), [{ name: "b" }]);
    await store.set("b", undefined);
    assert.equal(files.text("under-way.json"), undefined);
  });

  it("has nothing to resume where its file is damaged, and says so", async () => {
    const { store, warnings } = opened(
      new MemoryFileSystem({ "under-way.json": '{"tasks":[{"name":1}]}' }),
    );
    assert.deepEqual(await store.read(), []);
    assert.match(warnings[0] ?? "", /^Cannot read what was under way: /);
  });

  it("keeps the kinds apart, and reads each although another's entries are damaged", async () => {
    const files = new MemoryFileSystem({});
    const log = { warn: () => undefined };
    const store = new ResumeStore(files, log);
    const jobs = store.record("job", z.object({ name: z.string(), runners: z.int() }));
    await Promise.all([
      store.record("run", namedWork).set("a", { name: "a" }),
      jobs.set("a", { name: "a", runners: 2 }),
    ]);
    await store.record("run", namedWork).set("a", undefined);
    assert.deepEqual(await jobs.read(), [{ name: "a", runners: 2 }]);
    await files.replaceFile("under-way.json", '{"jobs":[{"name":"a"}],"runs":[{"name":"b"}]}');
    assert.deepEqual(await jobs.read(), []);
    assert.deepEqual(await store.record("run", namedWork).read(), [{ name: "b" }]);
  });

  it("keeps nothing without a storage folder", async () => {
    const { store } = opened(undefined);
    await store.set("a", { name: "a" });
    assert.deepEqual(await store.read(), []);
  });
});
