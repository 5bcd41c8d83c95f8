import assert from "node:assert/strict";
import { isHostPattern } from "../../../../src/core/approvals/approvalRules.js";

describe("hosts that the sandbox may reach", () => {
  it("are names, or all names below one", () => {
    for (const text of ["registry.example.test", "*.example.test", "a-b.test", "X.Example.TEST"]) {
      assert.equal(isHostPattern(text), true, text);
    }
    for (const text of [
      "",
      "*",
      "*.test",
      "localhost",
      "a..test",
      "-a.test",
      "a.test/",
      "a.test:443",
      "http://a.test",
      "127.0.0.1",
      "1.1",
      "a.*.test",
      "a test.test",
      `${"a".repeat(64)}.test`,
    ]) {
      assert.equal(isHostPattern(text), false, text);
    }
  });
});
