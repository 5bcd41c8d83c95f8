import assert from "node:assert/strict";
import { placeFindings } from "../../../../src/core/navigator/running/placeFindings.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

describe("the lines of a review's findings", () => {
  const files = new MemoryFileSystem({ "src/cart.js": "a\nb\nc\n" });
  const finding = {
    path: "./src/cart.js",
    severity: "error",
    message: "Wrong.",
    suggestion: null,
  } as const;
  const placed = async (line: number | null, endLine: number | null) => {
    const [found] = await placeFindings([{ ...finding, line, endLine }], { files });
    return [found?.path, found?.line, found?.endLine];
  };

  it("are lines of the file, and the last is not before the first", async () => {
    const [, last] = await placed(99, null).then(([, line, end]) => [end, line]);
    assert.ok(typeof last === "number" && last >= 3 && last <= 4);
    assert.deepEqual(await placed(2, 99), ["src/cart.js", 2, last]);
    assert.deepEqual(await placed(2, 1), ["src/cart.js", 2, 2]);
    assert.deepEqual(await placed(null, 3), ["src/cart.js", null, null]);
  });
});
