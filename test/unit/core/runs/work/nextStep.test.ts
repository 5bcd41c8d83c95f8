import assert from "node:assert/strict";
import fc from "fast-check";
import {
  type RunEdit,
  type RunState,
  withEdits,
} from "../../../../../src/core/runs/documents/runState.js";
import {
  failureEdits,
  skipHelperEdits,
  leftOutParts,
} from "../../../../../src/core/runs/work/failure.js";
import { nextStep } from "../../../../../src/core/runs/work/nextStep.js";
import { type Step, targetText } from "../../../../../src/core/runs/work/step.js";
import {
  executedEdits,
  stageEdits,
  taskEdits,
  toolEdits,
  type PlannedStage,
  type PlannedTask,
} from "../../../../../src/core/runs/work/stepEdits.js";
import { spoken } from "../../../../../src/core/text/words.js";
import {
  assetRow,
  phaseRow,
  preparation,
  runId,
  runRow,
  stageRow,
  stateOf,
  taskRow,
  toolRow,
} from "../runRows.js";

/** Returns a step in short. */
function told(step: Step): string {
  switch (step.type) {
    case "plan":
      return `plan ${targetText(step.target)}`;
    case "execute": {
      const { work } = step;
      return `execute ${work.type === "tool" ? work.tool.tool_task_id : work.task.task_id}`;
    }
    case "prepare":
      return `prepare ${step.task}`;
    case "await":
      return "await";
    case "report":
    case "over":
      return `${step.type} ${step.outcome}`;
    case "unclear":
      return `unclear: ${spoken(step.reason)}`;
  }
}

const next = (state: RunState) => told(nextStep(state).step);

/** Edits as they are written: those that follow one another in one table at once. */
function writes(edits: readonly RunEdit[]): RunEdit[][] {
  const all: RunEdit[][] = [];
  for (const edit of edits) {
    const last = all.at(-1);
    if (last?.[0]?.table === edit.table) last.push(edit);
    else all.push([edit]);
  }
  return all;
}

const runOf = (state: RunState) => state.rows.process_runs[0];
const current = (state: RunState) => {
  const run = runOf(state);
  return [run?.current_phase_id, run?.current_stage_id, run?.current_task_id];
};

/** Checks what has to hold of any state: the same next step wherever the writing of its edits is cut off. */
function checkNext(state: RunState): Step {
  const { edits, step } = nextStep(state);
  const written = withEdits(state, edits);
  for (let cut = 0; cut <= edits.length; cut++) {
    const from = withEdits(state, edits.slice(0, cut));
    const again = nextStep(from);
    assert.equal(told(again.step), told(step));
    assert.deepEqual(withEdits(from, again.edits).rows, written.rows);
  }
  assert.deepEqual(nextStep(written).edits, []);
  return step;
}

describe("what comes next in a run", () => {
  it("[R-MV-7] [R-MV-10] [R-MV-11] prepares a run in order, and waits for the person", () => {
    const at = (done: number, more: Partial<RunState> = {}) =>
      next({ ...stateOf({}, more), rows: { ...stateOf({}).rows, tasks: preparation(done) } });
    const without = { hasProposal: false };
    assert.equal(
      next({ ...stateOf({}), rows: { ...stateOf({}).rows, tasks: [] } }),
      "prepare phase:0",
    );
    assert.equal(at(0, without), "prepare T00");
    assert.equal(at(1, without), "plan feedback_generation");
    assert.equal(at(1), "prepare T02");
    assert.equal(at(2), "prepare T03");
    assert.equal(at(3), "execute T04");
    assert.equal(at(4), "plan phase:P1");
    // What has been confirmed and written down is not asked about again, whatever becomes of the document.
    assert.equal(at(2, without), "prepare T03");
    assert.equal(at(4, without), "plan phase:P1");
    const waiting = stateOf({ process_runs: [runRow("AWAITING_CONFIRMATION")] });
    assert.deepEqual(nextStep(waiting), { edits: [], step: { type: "await" } });
    // The proposal was taken back to be written anew.
    const again = nextStep({ ...waiting, hasProposal: false });
    assert.deepEqual(again.edits[0], {
      table: "process_runs",
      edit: { type: "set", id: runId, values: { status: "PENDING" } },
    });
    const [first, ...rest] = preparation(1);
    assert.ok(first);
    const missing = { ...stateOf({}).rows, tasks: [first, ...rest.slice(1)] };
    assert.equal(next({ ...stateOf({}), rows: missing }), "unclear: tasks has no T02.");
  });

  it("[R-MV-14] [R-MV-16] [R-MV-18] takes the first pending phase, stage and task, and writes where it is", () => {
    const state = stateOf({
      process_runs: [runRow("PENDING", ["0", "0", "T04"])],
      phases: [phaseRow("P10"), phaseRow("P2"), phaseRow("P12"), phaseRow("P1", "COMPLETED")],
      major_stages: [
        stageRow("P10-S1", "PENDING", "1"),
        stageRow("P2-S1", "PENDING", "10"),
        stageRow("P2-S2", "PENDING", "9"),
        stageRow("P2-S3", "PENDING", "11"),
      ],
      tasks: [
        taskRow("P2-S2-T1", "COMPLETED"),
        taskRow("P2-S2-T2", "PENDING", { execution_order: "3" }),
        taskRow("P2-S2-T3", "PENDING", { execution_order: "2" }),
        taskRow("P2-S2-T4", "PENDING", { execution_order: "4" }),
      ],
    });
    const { edits, step } = nextStep(state);
    assert.equal(told(step), "execute P2-S2-T3");
    assert.deepEqual(current(withEdits(state, edits)), ["P2", "P2-S2", "P2-S2-T3"]);
    assert.ok(edits.every(({ table }) => table === "process_runs"));
  });

  it("[R-MV-15] [R-MV-16] has a planner called where a phase has no stages, or a stage no tasks", () => {
    assert.equal(next(stateOf({})), "plan phase:P1");
    assert.equal(next(stateOf({ major_stages: [stageRow("P1-S1")] })), "plan stage:P1-S1");
    // A process was killed between the tasks of a phase and its stages.
    assert.equal(next(stateOf({ tasks: [taskRow("P1-S1-T1")] })), "plan phase:P1");
  });

  it("[R-MV-19] [R-MV-20] [R-MV-21] [R-MV-22] does a task with all that helps it, in order", () => {
    const task = taskRow("P1-S1-T1", "PENDING", {
      pre_tool_purpose: "Look it up",
      post_tool_purpose: "Draw it",
    });
    const with_ = (tools: ReturnType<typeof toolRow>[], done = false) =>
      stateOf({
        major_stages: [stageRow("P1-S1")],
        tasks: [task],
        tool_tasks: tools,
        knowledge_base_catalog: done ? [assetRow(task)] : [],
      });
    const before = ["COMPLETED", "COMPLETED"].map((status, index) =>
      toolRow(`P1-S1-T1-PRE${index + 1}`, status, String(2 - index)),
    );
    const pending = before.map((row) => ({ ...row, status: "PENDING" }));
    const after = toolRow("P1-S1-T1-POST1");
    assert.equal(next(with_([])), "plan pre_tool:P1-S1-T1");
    assert.equal(next(with_(pending)), "execute P1-S1-T1-PRE2");
    assert.equal(next(with_(before)), "execute P1-S1-T1");
    assert.equal(next(with_(before, true)), "plan post_tool:P1-S1-T1");
    assert.equal(next(with_([...before, after], true)), "execute P1-S1-T1-POST1");
    const whole = with_([...before, { ...after, status: "COMPLETED" }], true);
    const { edits, step } = nextStep(whole);
    assert.equal(told(step), "plan phase:P2");
    const done = withEdits(whole, edits).rows;
    assert.equal(done.tasks.at(-1)?.status, "COMPLETED");
    // One action of a known kind needs no plan.
    const chart = { ...task, post_tool_purpose: "Data Visualization: bees by hive" };
    const drawn = { ...with_(before, true).rows, tasks: [...preparation(4), chart] };
    const step_ = nextStep({ ...with_([]), rows: drawn });
    assert.equal(told(step_.step), "execute P1-S1-T1-POST1");
    const row = withEdits({ ...with_([]), rows: drawn }, step_.edits).rows.tool_tasks.at(-1);
    assert.deepEqual(
      [row?.tool_type, row?.tool_task_purpose, row?.timing],
      ["Data Visualization", "bees by hive", "POST"],
    );
    checkNext({ ...with_([]), rows: drawn });
    // What another task has made says nothing of this one.
    const other = assetRow({ ...task, task_id: "P1-S1-T9" });
    const state = with_(before);
    const rows = { ...state.rows, knowledge_base_catalog: [other] };
    assert.equal(next({ ...state, rows }), "execute P1-S1-T1");
    // Nor does what helps another task.
    const stranger = { ...after, tool_task_id: "P1-S1-T2-PRE1", timing: "PRE" };
    const strangers = with_([{ ...stranger, parent_task_id: "T04" }]);
    assert.equal(next(strangers), "plan pre_tool:P1-S1-T1");
  });

  it("[R-MV-22] writes what an executor asks for before its output, and never over the plan's own", () => {
    const done = (post_tool_purpose: string, after: string) => {
      const task = taskRow("P1-S1-T1", "PENDING", { post_tool_purpose });
      const state = stateOf({ major_stages: [stageRow("P1-S1")], tasks: [task] });
      const asset = { path: task.output_path, type: "ANALYSIS_REPORT", summary: "" };
      return executedEdits(state, { type: "task", task }, [asset], after).map(({ table, edit }) =>
        table === "tasks" ? edit.values : table,
      );
    };
    const registered = "knowledge_base_catalog";
    assert.deepEqual(done("", "Draw it"), [{ post_tool_purpose: "Draw it" }, registered]);
    assert.deepEqual(done("Print it", "Draw it"), [registered]);
    assert.deepEqual(done("", ""), [registered]);
    // What the catalog has already is described anew, in its own row.
    const task = taskRow("P1-S1-T1");
    const known = stateOf({ tasks: [task], knowledge_base_catalog: [assetRow(task)] });
    const asset = { path: task.output_path, type: "ANALYSIS_REPORT", summary: "New" };
    const edits = executedEdits(known, { type: "task", task }, [asset]);
    assert.deepEqual(
      withEdits(known, edits).rows.knowledge_base_catalog.map(({ summary }) => summary),
      ["New"],
    );
  });

  it("[R-MV-17] writes the files that a task begins from one a line", () => {
    const texts = { name: "Count", purpose: "Count", before: "", after: "" };
    const planned = { ...texts, references: ["assets/a b.md", "assets/c.md"], outputPath: "o.md" };
    const edits = taskEdits(stateOf({}), { type: "stage", id: "P1-S1" }, [planned]);
    const row = withEdits(stateOf({}), edits).rows.tasks.at(-1);
    assert.equal(row?.related_references, "assets/a b.md\nassets/c.md");
  });

  it("[R-MV-23] [R-MV-27] closes stage, phase and run, clears where it was, and never goes back", () => {
    const phases = ["P1", "P2", "P3"].map((id) => phaseRow(id, "COMPLETED"));
    const state = stateOf({
      process_runs: [runRow("PENDING", ["P4", "P4-S1", "P4-S1-T1"])],
      phases: [...phases, phaseRow("P4")],
      major_stages: [stageRow("P4-S1")],
      tasks: [taskRow("P4-S1-T1", "COMPLETED")],
    });
    const { edits, step } = nextStep(state);
    assert.deepEqual(
      edits.map(({ table, edit }) => [table, edit.type === "set" && edit.values]),
      [
        ["major_stages", { status: "COMPLETED" }],
        ["process_runs", { current_phase_id: "P4", current_stage_id: "", current_task_id: "" }],
        ["phases", { status: "COMPLETED" }],
        ["process_runs", { current_phase_id: "", current_stage_id: "", current_task_id: "" }],
        [
          "process_runs",
          {
            current_phase_id: "",
            current_stage_id: "",
            current_task_id: "",
            status: "COMPLETED",
          },
        ],
      ],
    );
    assert.equal(told(step), "report COMPLETED");
    const reopened = stateOf({ process_runs: [runRow("COMPLETED")] }, { isReported: true });
    assert.deepEqual(nextStep(reopened), {
      edits: [],
      step: { type: "over", outcome: "COMPLETED" },
    });
    // All of a run has to be completed for it to be.
    assert.equal(next(stateOf({ phases: [] })), "unclear: phases has no row.");
  });

  it("[R-MV-24] [R-MV-25] records a failure from the smallest part to the run, and goes no further", () => {
    const task = taskRow("P1-S1-T1", "PENDING", { pre_tool_purpose: "Look" });
    const state = stateOf({
      major_stages: [stageRow("P1-S1"), stageRow("P1-S2")],
      tasks: [task, taskRow("P1-S1-T2")],
      tool_tasks: [toolRow("P1-S1-T1-PRE1")],
    });
    const written = (step: Step) =>
      failureEdits(state, step).map(({ table, edit }) =>
        edit.type === "set" ? `${table} ${edit.id} ${Object.values(edit.values).join()}` : "",
      );
    const all = [
      "tool_tasks P1-S1-T1-PRE1 FAILED",
      "tasks P1-S1-T1 FAILED",
      "major_stages P1-S1 FAILED",
      "phases P1 FAILED",
      `process_runs ${runId} FAILED`,
    ];
    const { step } = nextStep(state);
    assert.deepEqual(written(step), all);
    assert.deepEqual(
      written({ type: "plan", target: { type: "tools", timing: "PRE", id: "P1-S1-T1" } }),
      all.slice(1),
    );
    assert.deepEqual(
      written({ type: "plan", target: { type: "stage", id: "P1-S1" } }),
      all.slice(2),
    );
    assert.deepEqual(written({ type: "plan", target: { type: "phase", id: "P1" } }), all.slice(3));
    assert.deepEqual(written({ type: "plan", target: { type: "proposal" } }), all.slice(4));
    assert.deepEqual(written({ type: "prepare", task: "T03" }), ["tasks T03 FAILED", all[4]]);
    const failed = withEdits(state, failureEdits(state, step));
    assert.equal(next(failed), "report FAILED");
    assert.equal(next({ ...failed, isReported: true }), "over FAILED");
    // A failure is recorded before anything else is looked at, such as a contradiction.
    const odd = stateOf({
      major_stages: [stageRow("P1-S1"), stageRow("P9-S1")],
      tasks: [taskRow("P1-S1-T1", "FAILED")],
    });
    assert.equal(next(odd), "report FAILED");
  });

  it("[R-MV-30] says what contradicts what, and leaves it to a person", () => {
    const reason = (rows: Parameters<typeof stateOf>[0]) => next(stateOf(rows));
    assert.equal(
      reason({ major_stages: [stageRow("P9-S1")] }),
      "unclear: phases has no P9, which major_stages names for P9-S1.",
    );
    assert.equal(
      reason({ tasks: [taskRow("P1-S1-T1")], major_stages: [stageRow("P1-S2")] }),
      "unclear: major_stages has no P1-S1, which tasks names for P1-S1-T1.",
    );
    assert.equal(
      reason({ tasks: [taskRow("P1-S1-T1", "COMPLETED")] }),
      "unclear: major_stages has no P1-S1, which tasks names for P1-S1-T1.",
    );
    assert.equal(
      reason({ tool_tasks: [toolRow("P1-S1-T1-PRE1")] }),
      "unclear: tasks has no P1-S1-T1, which tool_tasks names for P1-S1-T1-PRE1.",
    );
    assert.match(reason({ phases: [phaseRow("P1", "DOING")] }), /no known status: \["P1",/);
    assert.match(reason({ process_runs: [runRow("BUSY")] }), /has no known status: BUSY/);
    assert.match(reason({ process_runs: [] }), /process_runs has no run-/);
  });

  it("[R-MV-2] [R-MV-14] [R-MV-16] [R-MV-24] has the same step for every small state, wherever its writing is cut off", () => {
    const statuses = ["PENDING", "COMPLETED", "FAILED"] as const;
    let states = 0;
    for (const phase of statuses) {
      for (const [first, second] of statuses.flatMap((a) => statuses.map((b) => [a, b] as const))) {
        for (const status of statuses) {
          for (const tool of [undefined, ...statuses]) {
            for (const at of [[], ["P1"], ["P1", "P1-S1"], ["P1", "P1-S1", "P1-S1-T1"], ["P2"]]) {
              for (const isDone of [false, true]) {
                const purposes = { pre_tool_purpose: tool ? "x" : "", post_tool_purpose: "" };
                const task = taskRow("P1-S1-T1", status, purposes);
                const state = stateOf({
                  process_runs: [runRow("PENDING", at)],
                  phases: [phaseRow("P1", phase), phaseRow("P2")],
                  major_stages: [stageRow("P1-S1", first), stageRow("P1-S2", second, "2")],
                  tasks: [task],
                  tool_tasks: tool ? [toolRow("P1-S1-T1-PRE1", tool)] : [],
                  knowledge_base_catalog: isDone ? [assetRow(task)] : [],
                });
                const step = checkNext(state);
                const hasFailed = [phase, first, second, status, tool].includes("FAILED");
                assert.equal(told(step) === "report FAILED", hasFailed);
                if (phase === "COMPLETED" && !hasFailed) assert.equal(told(step), "plan phase:P2");
                states++;
              }
            }
          }
        }
      }
    }
    assert.equal(states, 3240);
  });

  it("[R-MV-2] [R-MV-22] [R-MV-27] comes to an end, whatever agents answer and wherever it is killed", () => {
    /** What the agents, and whoever kills the process, do, one number a decision. */
    const decisions = fc.infiniteStream(fc.nat(99));
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(decisions, fc.boolean(), (stream, mayFail) => {
        const decide = (): number => Number(stream.next().value);
        let state: RunState = {
          ...stateOf({ phases: [] }, { hasProposal: false }),
          rows: { ...stateOf({ phases: [] }).rows, tasks: [] },
        };
        const log: string[] = [];
        const plans = new Map<string, readonly PlannedStage[]>();
        for (let turns = 0; ; turns++) {
          assert.ok(turns < 400, log.slice(-20).join("\n"));
          const { edits, step } = nextStep(state);
          checkNext(state);
          const before = writes(edits);
          const killedAt = decide() < 10 ? decide() % (before.length + 1) : before.length;
          state = withEdits(state, before.slice(0, killedAt).flat());
          if (killedAt < before.length) continue;
          log.push(told(step));
          if (step.type === "over") {
            ends.set(step.outcome, (ends.get(step.outcome) ?? 0) + 1);
            checkOrder(log, state);
            return;
          }
          const made = answer(step, state, decide, mayFail, plans);
          const after = writes(made.edits);
          const cut = decide() < 10 ? decide() % (after.length + 1) : after.length;
          state = withEdits(state, after.slice(0, cut).flat());
          if (cut === after.length) state = { ...state, ...made.more };
        }
      }),
      { numRuns: 60 },
    );
    assert.equal(ends.size, 2, JSON.stringify([...ends]));
  });
});

/** Returns what is done to the state when a step is done, or has failed. */
function answer(
  step: Step,
  state: RunState,
  decide: () => number,
  mayFail: boolean,
  plans: Map<string, readonly PlannedStage[]>,
): { edits: RunEdit[]; more?: Partial<RunState> } {
  const isWork = ["plan", "execute", "prepare"].includes(step.type);
  if (isWork && mayFail && decide() < 4) {
    return { edits: skipHelperEdits(state, step, "It broke.") ?? failureEdits(state, step) };
  }
  const several = <T>(make: (index: number) => T): T[] =>
    Array.from({ length: 1 + (decide() % 2) }, (_, index) => make(index));
  const ofRun = (values: object): RunEdit => ({
    table: "process_runs",
    edit: { type: "set", id: runId, values },
  });
  switch (step.type) {
    case "plan": {
      const { target } = step;
      if (target.type === "proposal") {
        return { edits: [ofRun({ status: "AWAITING_CONFIRMATION" })], more: { hasProposal: true } };
      }
      const tasks = (stage: string) =>
        several((n): PlannedTask => ({
          name: `${n}`,
          purpose: "p",
          references: ["a"],
          outputPath: `${stage}/${n}`,
          before: decide() < 40 ? "before" : "",
          after: decide() < 40 ? "after" : "",
        }));
      if (target.type === "phase") {
        // Who has submitted a plan submits the same after a kill.
        const stages =
          plans.get(target.id) ??
          several((n) => {
            const own = decide() < 60 ? tasks(`${target.id}-S${n + 1}`) : [];
            return { name: `${n}`, goal: "g", tasks: own };
          });
        plans.set(target.id, stages);
        return { edits: stageEdits(state, target, stages) };
      }
      if (target.type === "stage") return { edits: taskEdits(state, target, tasks(target.id)) };
      const tools = several((n) => ({ type: "Web Search", name: `${n}`, purpose: "p" }));
      return { edits: toolEdits(state, target, tools) };
    }
    case "execute": {
      const path =
        step.work.type === "tool" ? step.work.tool.tool_task_id : step.work.task.output_path;
      const asset = { path, type: "ANALYSIS_REPORT", summary: "" };
      return { edits: executedEdits(state, step.work, [asset], decide() < 20 ? "more" : "") };
    }
    case "prepare": {
      if (step.task === "phase:0") {
        return {
          edits: preparation(0).map((values) => ({
            table: "tasks",
            edit: { type: "add", values },
          })),
        };
      }
      const done: RunEdit = {
        table: "tasks",
        edit: { type: "set", id: step.task, values: { status: "COMPLETED" } },
      };
      if (step.task !== "T00" || state.rows.phases.length > 0) return { edits: [done] };
      const phases = ["P1", "P2", "P3", "P4"].map((id): RunEdit => ({
        table: "phases",
        edit: { type: "add", values: phaseRow(id) },
      }));
      return { edits: [...phases, done] };
    }
    case "await": {
      const said = decide();
      if (said < 70) return { edits: [ofRun({ status: "PENDING" })] };
      if (said < 90) return { edits: [], more: { hasProposal: false } };
      return { edits: [ofRun({ status: "FAILED" })] };
    }
    case "report":
      return { edits: [], more: { isReported: true } };
    case "over":
    case "unclear":
      throw new Error(told(step));
  }
}

/** Checks that what is done is done in the order that the plan has. */
function checkOrder(log: readonly string[], { rows }: RunState): void {
  const lastOf = (what: string) => log.lastIndexOf(what);
  for (const { parent_task_id: task, tool_task_id: tool, timing, status } of rows.tool_tasks) {
    if (status !== "COMPLETED") continue;
    const core = log.indexOf(`execute ${task}`);
    if (timing === "PRE" && core >= 0) assert.ok(lastOf(`execute ${tool}`) < core, tool);
    if (timing === "POST") assert.ok(log.indexOf(`execute ${tool}`) > core, tool);
  }
  const ids = rows.tasks.map(({ task_id }) => task_id);
  assert.deepEqual([...new Set(ids)], ids);
  if (log.at(-1) !== "over COMPLETED") return;
  for (const table of [rows.phases, rows.major_stages, rows.tasks]) {
    for (const { status } of table) assert.equal(status, "COMPLETED");
  }
  const without = leftOutParts(rows).map(({ part_id }) => part_id);
  for (const { tool_task_id: id, status } of rows.tool_tasks) {
    assert.equal(status, without.includes(id) ? "FAILED" : "COMPLETED");
  }
}
