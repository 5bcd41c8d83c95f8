import assert from "node:assert/strict";
import type { JobOverview } from "../../../../src/core/jobs/facts/jobOverview.js";
import { jobWork } from "../../../../src/core/jobs/facts/jobWork.js";
import type { TaskView } from "../../../../src/core/navigator/overview/overview.js";
import type { RunOverview } from "../../../../src/core/runs/runOverview.js";
import { runWork } from "../../../../src/core/runs/runWork.js";
import { waitingThings } from "../../../../src/vscode/work/waiting.js";

const task = (taskId: string, state: TaskView["state"], conversation?: string) =>
  ({ taskId, state, ...(conversation === undefined ? {} : { conversation }) }) as TaskView;
const job = (name: string, answers: readonly (string | null)[], runners: readonly string[] = []) =>
  jobWork({
    name,
    questions: answers.map((answer, at) => ({ id: `Q-${at}`, answer })),
    runners: runners.map((taskId) => ({ taskId, role: "Runner", objective: "" })),
    entries: [],
  } as unknown as JobOverview);
const run = (runId: string, state: RunOverview["state"]) =>
  runWork({ runId, state, unit: null, proposal: null } as RunOverview);

describe("what waits for the user", () => {
  const asking = {
    tasks: [],
    works: [],
    approvals: new Set<string>(),
    workOf: () => undefined,
    placeOf: () => undefined,
  };

  it("is each question, approval and proposal once, with the conversation that shows it", () => {
    const found = waitingThings({
      tasks: [task("A", "needsYou", "one"), task("B", "running"), task("C", "needsYou")],
      works: [
        job("docs", [null, "So.", null], ["R-1", "R-2"]),
        job("calm", ["So."]),
        run("run-1", "needsYou"),
        run("run-2", "here"),
        run("run-3", "done"),
      ],
      approvals: new Set(["A", "R-2", "P-1", "unknown"]),
      workOf: (taskId) => (taskId === "P-1" ? { kind: "run", name: "run-2" } : undefined),
      placeOf: ({ name }) => `of ${name}`,
    });
    assert.deepEqual(
      found.map(({ kind, name, conversation }) => [kind, name, conversation]),
      [
        ["task", "A", "one"],
        ["task", "C", undefined],
        ["job", "docs", "of docs"],
        ["run", "run-2", "of run-2"],
        ["task", "unknown", undefined],
        ["job", "docs", "of docs"],
        ["job", "docs", "of docs"],
        ["run", "run-1", "of run-1"],
      ],
    );
  });

  it("is nothing where nothing asks", () => {
    assert.deepEqual(waitingThings({ ...asking, tasks: [task("A", "done")] }), []);
  });
});
