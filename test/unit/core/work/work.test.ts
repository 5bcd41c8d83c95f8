import assert from "node:assert/strict";
import type { JobOverview } from "../../../../src/core/jobs/facts/jobOverview.js";
import { jobWork } from "../../../../src/core/jobs/facts/jobWork.js";
import type { RunOverview, RunProgress } from "../../../../src/core/runs/runOverview.js";
import { runWork } from "../../../../src/core/runs/runWork.js";

const job = (more: Partial<JobOverview>) =>
  jobWork({
    name: "docs",
    state: "running",
    isPeriodic: false,
    progress: 40,
    tasks: { total: 5, done: 2 },
    runners: [],
    entries: [],
    questions: [],
    sessions: [],
    next: { role: null, objective: "" },
    ...more,
  } as unknown as JobOverview);
const run = (state: RunProgress) =>
  runWork({
    runId: "run-20250102-030405-001",
    request: "Bees",
    state,
    unit: null,
    proposal: { id: "P-1" },
    tasks: { total: 3, done: 1 },
  } as unknown as RunOverview);

describe("what is shown of long work", () => {
  it("says of a run that it is at work here and in other processes, and over at each of its ends", () => {
    const states = [
      "here",
      "elsewhere",
      "needsYou",
      "left",
      "broken",
      "done",
      "failed",
      "cancelled",
    ];
    const shown = (states as RunProgress[]).map((state) => {
      const { isAtWork, isOver, needs } = run(state);
      return [state, isAtWork, isOver, needs.length];
    });
    assert.deepEqual(shown, [
      ["here", true, false, 0],
      ["elsewhere", true, false, 0],
      ["needsYou", false, false, 1],
      ["left", false, false, 0],
      ["broken", false, false, 0],
      ["done", false, true, 0],
      ["failed", false, true, 0],
      ["cancelled", false, true, 0],
    ]);
  });

  it("has a job's open questions while the job goes on, and a percentage that a run cannot have", () => {
    const questions = [
      { id: "Q-1", text: "Which?", answer: null, line: 1 },
      { id: "Q-2", text: "", answer: "So.", line: 2 },
    ];
    const { isAtWork, needs, progress } = job({ questions });
    assert.deepEqual([isAtWork, needs], [true, [{ kind: "question", id: "Q-1", text: "Which?" }]]);
    assert.deepEqual(progress, { total: 5, done: 2, percent: 40 });
    assert.deepEqual(run("here").progress, { total: 3, done: 1, percent: null });
  });

  it("is never over for a job that begins anew after each cycle", () => {
    const over = [job({ state: "done" }).isOver, job({ state: "done", isPeriodic: true }).isOver];
    assert.deepEqual(over, [true, false]);
  });
});
