import assert from "node:assert/strict";
import { removeLeftovers } from "../../../src/core/agent/removeLeftovers.js";
import { temporaryName } from "../../../src/core/temporaryName.js";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";

const random = "0123456789ab";

describe("what a write that was cut off leaves", () => {
  it("is removed beside its file, and nothing else is", async () => {
    const kept = {
      "src/a.txt": "mine",
      [`src/${temporaryName("b.txt", random)}`]: "another's",
      [`src/deep/${temporaryName("a.txt", random)}`]: "elsewhere",
      "src/.a.txt.backup.tmp": "no name of ours",
      [temporaryName("a.txt", random)]: "in the root",
    };
    const left = { [`src/${temporaryName("a.txt", random)}`]: "half" };
    const files = new MemoryFileSystem({ ...kept, ...left });
    await removeLeftovers("src/a.txt", files);
    assert.deepEqual(files.paths, Object.keys(kept).sort());

    await removeLeftovers("./a.txt", files);
    assert.equal(files.text(temporaryName("a.txt", random)), undefined);
  });

  it("is looked for inside the workspace only, and never stands in the way", async () => {
    const outside = `/elsewhere/${temporaryName("a.txt", random)}`;
    const files = new MemoryFileSystem({ [outside]: "half" });
    for (const path of ["/elsewhere/a.txt", "", "no/such/folder/a.txt", "a\0b"]) {
      await removeLeftovers(path, files);
    }
    assert.equal(files.text(outside), "half");
  });
});
