import assert from "node:assert/strict";
import { typedMentions } from "../../../../../src/core/navigator/attachments/typedMentions.js";
import { MemoryFileSystem } from "../../../../fakes/memoryFileSystem.js";

describe("what a message names by @", () => {
  const files = new MemoryFileSystem({ "src/cart.js": "a\nb\n" });
  const named = (text: string) => typedMentions(text, files, undefined);

  it("is a file with its lines, the last of which is never before the first", async () => {
    const file = { kind: "file", path: "src/cart.js" };
    assert.deepEqual(await named("Look at @src/cart.js:10-20."), [{ ...file, from: 10, to: 20 }]);
    assert.deepEqual(await named("Look at @src/cart.js:10"), [{ ...file, from: 10, to: 10 }]);
    assert.deepEqual(await named("Look at @src/cart.js:10-3"), [{ ...file, from: 10, to: 10 }]);
  });
});
