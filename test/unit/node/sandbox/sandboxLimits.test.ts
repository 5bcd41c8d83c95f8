import assert from "node:assert/strict";
import { limitWords, usualLimits } from "../../../../src/node/sandbox/sandboxLimits.js";

describe("the limits of a sandboxed command", () => {
  it("are 2,000 processes, 4 GB of memory and 8 GB of disk", () => {
    const limits = (["processes", "memoryBytes", "layerBytes"] as const).map((name) =>
      limitWords(name, usualLimits),
    );
    assert.deepEqual(limits, ["processes (2000)", "memory (4 GB)", "disk space (8 GB)"]);
  });
});
