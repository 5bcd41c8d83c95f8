import assert from "node:assert/strict";
import { temporaryName } from "../../../../../src/core/access/temporaryName.js";
import { removeLeftovers } from "../../../../../src/core/agent/calls/interruptedCall.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";

const temporary = (name: string) => temporaryName(name, "0123456789abcdef", "01234567");

describe("what a write that was cut off leaves", () => {
  it("is removed beside its file, and nothing else is", async () => {
    const kept = {
      "src/a.txt": "mine",
      [`src/${temporary("b.txt")}`]: "another's",
      [`src/deep/${temporary("a.txt")}`]: "elsewhere",
      "src/.a.txt.backup.tmp": "no name of ours",
      [temporary("a.txt")]: "in the root",
    };
    const left = { [`src/${temporary("a.txt")}`]: "half" };
    const files = new MemoryFileSystem({ ...kept, ...left });
    await removeLeftovers("src/a.txt", files);
    assert.deepEqual(files.paths, Object.keys(kept).sort());

    await removeLeftovers("./a.txt", files);
    assert.equal(files.text(temporary("a.txt")), undefined);
  });

  it("is looked for inside the workspace only, and never stands in the way", async () => {
    const outside = `/elsewhere/${temporary("a.txt")}`;
    const files = new MemoryFileSystem({ [outside]: "half" });
    for (const path of ["/elsewhere/a.txt", "", "no/such/folder/a.txt", "a\0b"]) {
      await removeLeftovers(path, files);
    }
    assert.equal(files.text(outside), "half");
  });
});
