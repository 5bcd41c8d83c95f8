import assert from "node:assert/strict";
import type { JobOverview } from "../../../../src/core/jobs/facts/jobOverview.js";
import { jobWork } from "../../../../src/core/jobs/facts/jobWork.js";
import type { RunOverview } from "../../../../src/core/runs/runOverview.js";
import { runWork } from "../../../../src/core/runs/runWork.js";
import { english } from "../../../../src/core/text/translator.js";
import { expertsAtWork } from "../../../../src/vscode/status/expertsAtWork.js";

interface Given extends Omit<Parameters<typeof expertsAtWork>[0], "works"> {
  readonly jobs: readonly JobOverview[];
  readonly runs: readonly RunOverview[];
}

const runner = { taskId: "ROO#JOB_a_2", role: "Runner", objective: "Task 2. Move" };
const job = (more: object = {}) =>
  ({
    name: "french",
    state: "running",
    isPeriodic: false,
    runners: [runner],
    sessions: ["ROO#JOB_a_1"],
    questions: [],
    entries: [{ session: "ROO#JOB_plan_1" }],
    ...more,
  }) as unknown as JobOverview;
const run = (more: object = {}) =>
  ({
    runId: "run-20250102-030405-001",
    request: "Write a report",
    state: "here",
    unit: { taskId: "ROO#RUN_20250102-030405-001_T04", mode: "rooroo-run-executor", goal: "Look" },
    ...more,
  }) as unknown as RunOverview;
const task = {
  taskId: "ROO#TASK_1",
  mode: "rooroo-developer",
  goal: "Fix it",
  state: "running",
  planId: null,
  changedAt: 1,
} as const;
const toUnit = (taskId: string) => {
  return { taskId, messages: [{ id: `u-${taskId}`, at: "2026", text: "Use tabs." }] };
};
const at = ({ jobs = [], runs = [], ...given }: Partial<Given> = {}) => {
  const works = [...jobs.map(jobWork), ...runs.map(runWork)];
  return expertsAtWork({ tasks: [], works, toUnits: [], waiting: new Set(), ...given }, english);
};

describe("the experts at work", () => {
  it("are those of jobs and runs, then those of tasks", () => {
    const { atWork } = at({ tasks: [task], jobs: [job()], runs: [run()] });
    assert.deepEqual(
      atWork.map(({ mode, goal, work }) => [mode, goal, work?.name]),
      [
        ["rooroo-job-runner", "french: Task 2. Move", "french"],
        ["rooroo-run-executor", "Write a report: Look", "run-20250102-030405-001"],
        ["rooroo-developer", "Fix it", undefined],
      ],
    );
  });

  it("are, between two agents of a job, the one before: what is said then is no new request", () => {
    const between = {
      runners: [],
      next: { role: "Runner", objective: "Task 3. Remove" },
      entries: [{ session: null }, { session: "ROO#JOB_a_2", role: "Planner" }],
    };
    const { atWork, pending } = at({
      jobs: [job(between)],
      toUnits: [toUnit("ROO#JOB_a_2")],
    });
    assert.deepEqual(atWork, [
      {
        taskId: "ROO#JOB_a_2",
        mode: "rooroo-job-runner",
        goal: "french: Task 3. Remove",
        work: { kind: "job", name: "french" },
      },
    ]);
    assert.deepEqual(
      pending.map(({ when }) => when),
      ["nextAgent"],
    );
    assert.deepEqual(at({ jobs: [job({ ...between, state: "left" })] }).atWork, []);
  });

  it("have messages that wait for their next turn, or for a decision", () => {
    const when = (waiting: readonly string[]) =>
      at({ jobs: [job()], toUnits: [toUnit(runner.taskId)], waiting: new Set(waiting) }).pending[0];
    assert.deepEqual([when([])?.when, when([])?.mode], ["nextTurn", "rooroo-job-runner"]);
    assert.equal(when([runner.taskId])?.when, "decided");
  });

  it("leave messages to the next agent of the job or run, or to nobody once that is over", () => {
    const of = (given: Partial<Given>) => {
      const { when, work } = at(given).pending[0] ?? {};
      return `${when ?? ""} ${work?.name ?? ""}`;
    };
    for (const id of ["ROO#JOB_a_1", "ROO#JOB_plan_1"]) {
      const toUnits = [toUnit(id)];
      assert.equal(of({ jobs: [job({ state: "left" })], toUnits }), "nextAgent french");
      assert.equal(of({ jobs: [job({ state: "done" })], toUnits }), "never french");
      const isPeriodic = { state: "done", isPeriodic: true };
      assert.equal(of({ jobs: [job(isPeriodic)], toUnits }), "nextAgent french");
    }
    const toUnits = [toUnit("ROO#RUN_20250102-030405-001_plan-phase-P1")];
    assert.equal(of({ runs: [run()], toUnits }), "nextAgent run-20250102-030405-001");
    const over = run({ state: "done", unit: null });
    assert.equal(of({ runs: [over], toUnits }), "never run-20250102-030405-001");
    assert.equal(of({ toUnits: [toUnit("ROO#JOB_b_1")] }), "never ");
  });
});
