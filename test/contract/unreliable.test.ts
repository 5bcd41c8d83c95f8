import assert from "node:assert/strict";
import { unreliableRun } from "./unreliableRun.js";
import { faults } from "./unreliableServer.js";

describe("an expert whose model's server is in trouble", () => {
  it("ends 500 tasks as without trouble, and no tool runs twice", async () => {
    const tasks = 500;
    const run = await unreliableRun(tasks, 0.2);
    assert.deepEqual(
      run.ends,
      Array.from({ length: tasks }, (_, index) => `Done: Wrote t${index}`),
    );
    for (const [path, text] of run.contents) {
      assert.equal(text, `begun, and done: ${path.slice("out/".length, -".md".length)}`);
    }
    assert.equal(run.worked.length, 2 * tasks);
    assert.equal(new Set(run.worked).size, 2 * tasks);
    assert.deepEqual([...run.faults.keys()].sort(), [...faults].sort());
    assert.ok(run.requests > 3 * tasks && run.remarks > 0);
  });
});
