import assert from "node:assert/strict";
import { findLayout } from "../../../../../src/core/runs/documents/runLayout.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";

describe("the place of a workspace's runs", () => {
  it("[R-MV-1] is the workspace if it has runs already, else the folder multiverse, or the one that is named", async () => {
    const rootOf = async (files: Record<string, string>, given?: string) =>
      (await findLayout(new MemoryFileSystem(files), given)).root;
    assert.equal(await rootOf({ "assets/a.md": "a" }), "multiverse");
    assert.equal(await rootOf({ "db/process_runs.md": "" }), "");
    assert.equal(await rootOf({ "db/process_runs.md": "" }, "docs/runs"), "docs/runs");
    assert.equal(await rootOf({}, ""), "");
    for (const given of ["../elsewhere", ".git", "/etc"]) {
      await assert.rejects(rootOf({}, given), { code: "runFolderInvalid" }, given);
    }
  });
});
