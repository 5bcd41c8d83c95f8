import assert from "node:assert/strict";
import type { RunEdit } from "../../../../../src/core/runs/documents/runState.js";
import {
  failureText,
  leftOutParts,
  retryEdits,
  skipEdits,
  skipHelperEdits,
} from "../../../../../src/core/runs/work/failure.js";
import { phaseRow, runId, runRow, stageRow, stateOf, taskRow, toolRow } from "../runRows.js";

/** Returns edits in short, as in `tasks P1-S1-T1 PENDING`. */
const told = (edits: readonly RunEdit[] | undefined) =>
  edits?.map(({ table, edit }) =>
    table === "left_out"
      ? `left_out ${edit.type} ${edit.type === "set" ? edit.id : (edit.values.part_id ?? "")}: ${edit.values.part_name ?? ""}: ${edit.values.reason ?? ""}`
      : edit.type === "set"
        ? `${table} ${edit.id} ${Object.values(edit.values).join()}`
        : `${table} ${Object.values(edit.values).join(" | ")}`,
  );
const leftOutRow = (part_id: string) => {
  return { part_id, run_id: runId, part_name: "Tool", reason: "Gone." };
};

/** A run whose second task has failed, as has a helper of it; a helper of the first, which is done, was left out. */
const failed = stateOf({
  process_runs: [runRow("FAILED", ["P1", "P1-S1", "P1-S1-T2"])],
  phases: [phaseRow("P1", "FAILED"), phaseRow("P2")],
  major_stages: [stageRow("P1-S1", "FAILED"), stageRow("P1-S2")],
  tasks: [
    taskRow("P1-S1-T1", "COMPLETED", { post_tool_purpose: "Draw" }),
    taskRow("P1-S1-T2", "FAILED", { pre_tool_purpose: "Look", post_tool_purpose: "Draw" }),
    taskRow("P1-S1-T3"),
  ],
  tool_tasks: [
    toolRow("P1-S1-T1-POST1", "FAILED"),
    toolRow("P1-S1-T2-PRE1", "COMPLETED"),
    toolRow("P1-S1-T2-PRE2", "FAILED"),
  ],
  left_out: [leftOutRow("P1-S1-T1-POST1"), leftOutRow("P1-S1-T2-PRE2")],
});
const larger = ["major_stages P1-S1 PENDING", "phases P1 PENDING"];

describe("what is written when a run goes on after a failure", () => {
  it("[R-MV-24] sets back what has failed and what was left out for it, and nothing that is done or left out elsewhere", () => {
    assert.deepEqual(told(retryEdits(failed)), [
      "tool_tasks P1-S1-T2-PRE2 PENDING",
      "tasks P1-S1-T2 PENDING",
      ...larger,
    ]);
    // A helper that nobody has left out is what has failed, whether the rows that contain it say so or not.
    const helper = { ...failed, rows: { ...failed.rows, left_out: [] } };
    assert.deepEqual(told(retryEdits(helper))?.slice(0, 4), [
      "tool_tasks P1-S1-T1-POST1 PENDING",
      "tool_tasks P1-S1-T2-PRE2 PENDING",
      "tasks P1-S1-T1 PENDING",
      "tasks P1-S1-T2 PENDING",
    ]);
    // One whose task is in no table is set back, too: then the run says so, instead of failing once more.
    const lost = stateOf({ tool_tasks: [toolRow("P9-S1-T1-PRE1", "FAILED")] });
    assert.deepEqual(told(retryEdits(lost)), ["tool_tasks P9-S1-T1-PRE1 PENDING"]);
  });

  it("[R-MV-24] counts as left out only what has failed still", () => {
    const left_out = ["P1-S1-T2-PRE1", "P1-S1-T2-PRE2", "P1-S1-T9"].map(leftOutRow);
    assert.deepEqual(
      leftOutParts({ ...failed.rows, left_out }).map(({ part_id }) => part_id),
      ["P1-S1-T2-PRE2"],
    );
  });

  it("[R-MV-24] leaves out the smallest part that has failed, last of all, and says why in one line", () => {
    const reason = `task P1-S1-T2: ${"no bees\n".repeat(100)}`;
    const [first, second, part = "", ...more] = told(skipEdits(failed, reason)) ?? [];
    assert.deepEqual([first, second, ...more], larger);
    assert.match(part, /^left_out add P1-S1-T2: Task: task P1-S1-T2: no bees ⏎ no bees/);
    assert.ok(part.length < 350, part);
    // What contains nothing smaller that has failed is left out itself, and without a failure nothing is.
    const stage = { ...failed.rows, tasks: [], tool_tasks: [] };
    assert.deepEqual(told(skipEdits({ ...failed, rows: stage }, "No.")), [
      "phases P1 PENDING",
      "left_out add P1-S1: Stage: No.",
    ]);
    assert.equal(skipEdits(stateOf({}), "No."), undefined);
  });

  it("[R-MV-24] says why a helper is left out before it says that it has failed, also where its plan has", () => {
    const state = stateOf({
      major_stages: [stageRow("P1-S1")],
      tasks: [taskRow("P1-S1-T1", "PENDING", { post_tool_purpose: "Draw it" })],
      tool_tasks: [toolRow("P1-S1-T1-POST1")],
    });
    const task = state.rows.tasks.at(-1)!;
    const [tool] = state.rows.tool_tasks;
    const execute = { type: "execute", work: { type: "tool", tool: tool!, task } } as const;
    assert.deepEqual(told(skipHelperEdits(state, execute, "No\nnumbers.")), [
      "left_out add P1-S1-T1-POST1: Tool (Web Search): No ⏎ numbers.",
      "tool_tasks P1-S1-T1-POST1 FAILED",
    ]);
    const target = { type: "tools", timing: "POST", id: "P1-S1-T1" } as const;
    const known = { ...state, rows: { ...state.rows, left_out: [leftOutRow("P1-S1-T1-POST1")] } };
    assert.deepEqual(told(skipHelperEdits(known, { type: "plan", target }, "No idea.")), [
      "left_out set P1-S1-T1-POST1: Draw it: No idea.",
      `tool_tasks P1-S1-T1-POST1 | ${runId} | P1-S1-T1 | POST | Helper | Draw it | Draw it | 1 | FAILED`,
    ]);
    for (const step of [
      { ...execute, work: { ...execute.work, tool: { ...tool!, timing: "PRE" } } },
      { type: "plan", target: { ...target, timing: "PRE" } } as const,
      { type: "execute", work: { type: "task", task } } as const,
      { type: "plan", target: { type: "stage", id: "P1-S1" } } as const,
    ] as const) {
      assert.equal(skipHelperEdits(state, step, "No."), undefined);
    }
  });

  it("[R-MV-26] counts in its report how often it was tried, from the second time on", () => {
    const text = (tries: number) =>
      failureText(failed, { type: "prepare", task: "T03" }, "Look", "No.", tries);
    assert.doesNotMatch(text(1), /^- try: /m);
    assert.match(text(2), /^- try: 2$/m);
  });
});
