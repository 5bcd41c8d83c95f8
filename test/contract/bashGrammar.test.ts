import assert from "node:assert/strict";
import { loadBashGrammar } from "../../src/node/shell/bashGrammar.js";

describe("the bash grammar", () => {
  it("is loaded once for all who ask at the same time, with one parser for them", async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => loadBashGrammar()));
    assert.ok(first);
    for (const other of others) assert.equal(other, first);
  });
});
