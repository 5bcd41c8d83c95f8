import { strict as assert } from "node:assert";
import type { RunOverview, RunPart } from "../../../../src/core/runs/runOverview.js";
import type { Runs } from "../../../../src/core/runs/runs.js";
import type { ChangeReview } from "../../../../src/vscode/changes/changeReview.js";
import { undoRunPart } from "../../../../src/vscode/runs/runChanges.js";

describe("what a part of a run has changed", () => {
  const run = { runId: "run-1", state: "done" } as RunOverview;
  const part = { id: "T01", title: "Count", sessions: ["S2", "S1"] } as unknown as RunPart;

  it("counts as undone as soon as one of its files is, and else not", async () => {
    for (const [types, told] of [
      [["left", "restored"], [["run-1", ["S2", "S1"]]]],
      [["removed"], [["run-1", ["S2", "S1"]]]],
      [["left"], []],
      [[], []],
    ] as const) {
      const undone: unknown[] = [];
      const review = {
        offer: () => undefined,
        undo: () => Promise.resolve(types.map((type) => ({ type }))),
      } as unknown as ChangeReview;
      const setUndone = (...given: unknown[]) => Promise.resolve(void undone.push(given));
      await undoRunPart(run, part, review, { setUndone } as unknown as Runs);
      assert.deepEqual(undone, told, types.join(", "));
    }
  });
});
