import assert from "node:assert/strict";
import { namedWork, ResumeStore } from "../../../../src/vscode/workspace/resumeStore.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

describe("ResumeStore", () => {
  /** A store on these files, and the warnings that it has logged. */
  function opened(files: MemoryFileSystem | undefined) {
    const warnings: string[] = [];
    const log = { warn: (text: string) => void warnings.push(text) };
    return { warnings, store: new ResumeStore(files, log, "tasks.json", namedWork) };
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
    assert.equal(files.text("tasks.json"), undefined);
  });

  it("has nothing to resume where its file is damaged, and says so", async () => {
    const { store, warnings } = opened(new MemoryFileSystem({ "tasks.json": '[{"name":1}]' }));
    assert.deepEqual(await store.read(), []);
    assert.match(warnings[0] ?? "", /^Cannot read what was under way: /);
  });

  it("keeps nothing without a storage folder", async () => {
    const { store } = opened(undefined);
    await store.set("a", { name: "a" });
    assert.deepEqual(await store.read(), []);
  });
});
