import { words } from "../../text/words.js";
import { type RunEdit, type RunState, withEdits } from "../documents/runState.js";
import type { RunRow } from "../documents/runTables.js";
import { failureEdits } from "./failure.js";
import { preparationTasks, type Step } from "./step.js";
import { isPlannedWith, toolEdits } from "./stepEdits.js";
import { oneAction } from "./toolKind.js";

/** The id of both the stage and the phase of the tasks that prepare a run. */
const preparation = "0";

export interface Next {
  /**
   * Edits to write before the step, in this order; a process that is killed in between resumes from there.
   */
  readonly edits: readonly RunEdit[];
  readonly step: Step;
}

/**
 * Finds the next step of a run from its state alone: the same state always has the same next step (R-MV-2).
 */
export function nextStep(state: RunState): Next {
  const edits: RunEdit[] = [];
  let now = state;
  for (;;) {
    const found = stepOrEdits(now);
    if (!Array.isArray(found)) return { edits, step: found };
    edits.push(...found);
    now = withEdits(now, found);
  }
}

/** Returns the edits that are due in this state, or the step if none are. */
function stepOrEdits(state: RunState): RunEdit[] | Step {
  const { rows, runId } = state;
  const run = rows.process_runs.find(({ run_id }) => run_id === runId);
  if (run === undefined)
    return { type: "unclear", reason: words("process_runs has no {runId}.", { runId }) };
  switch (run.status) {
    case "COMPLETED":
    case "FAILED":
      return { type: state.isReported ? "over" : "report", outcome: run.status };
    case "AWAITING_CONFIRMATION":
      return state.hasProposal ? { type: "await" } : [runEdit(run, { status: "PENDING" })];
    case "PENDING": {
      const failed = failureEdits(state);
      if (failed.length > 0) return failed;
      return contradiction(state) ?? preparationStep(state, run) ?? phaseStep(state, run);
    }
    default:
      return {
        type: "unclear",
        reason: words("{runId} has no known status: {status}.", { runId, status: run.status }),
      };
  }
}

/** Returns the due edits or the step of phase 0, the preparation; `undefined` when that is over (R-MV-7 to 12). */
function preparationStep(
  state: RunState,
  run: RunRow<"process_runs">,
): RunEdit[] | Step | undefined {
  const own = state.rows.tasks.filter(({ stage_id }) => stage_id === preparation);
  if (own.length === 0) return { type: "prepare", task: "phase:0" };
  for (const id of preparationTasks) {
    const task = own.find(({ task_id }) => task_id === id);
    if (task === undefined) return { type: "unclear", reason: words("tasks has no {id}.", { id }) };
    if (task.status === "PENDING") {
      const isProposed = id !== "T02" || state.hasProposal;
      const here = { phase: preparation, stage: preparation, task: isProposed ? id : "" };
      if (!isAt(run, here)) return [moveEdit(run, here)];
      if (!isProposed) return { type: "plan", target: { type: "proposal" } };
      return id === "T04" ? taskStep(state, task) : { type: "prepare", task: id };
    }
  }
  const isLeft = run.current_phase_id === preparation;
  return isLeft ? [moveEdit(run, { phase: "", stage: "", task: "" })] : undefined;
}

/**
 * Returns the due edits or the step of the first phase that is not done, or the edit that ends the run (R-MV-14 to 23,
 * 27).
 */
function phaseStep(state: RunState, run: RunRow<"process_runs">): RunEdit[] | Step {
  const { rows } = state;
  const nowhere = { phase: "", stage: "", task: "" };
  const phase = inOrder(rows.phases, ({ phase_id }) => phase_id).find(isPending);
  if (phase === undefined) {
    const over = { ...columnsOf(nowhere), status: "COMPLETED" };
    return rows.phases.length === 0
      ? { type: "unclear", reason: words("phases has no row.") }
      : [runEdit(run, over)];
  }
  const inPhase = { ...nowhere, phase: phase.phase_id };
  if (run.current_phase_id !== phase.phase_id) return [moveEdit(run, inPhase)];

  const stages = rows.major_stages.filter(({ phase_id }) => phase_id === phase.phase_id);
  if (stages.length === 0) {
    return { type: "plan", target: { type: "phase", id: phase.phase_id } };
  }
  const stage = inOrder(stages, ({ execution_order }) => execution_order).find(isPending);
  if (stage === undefined) {
    return [
      { table: "phases", edit: becomes(phase.phase_id, "COMPLETED") },
      moveEdit(run, nowhere),
    ];
  }
  const inStage = { ...inPhase, stage: stage.stage_id };
  if (run.current_stage_id !== stage.stage_id) return [moveEdit(run, inStage)];

  const tasks = rows.tasks.filter(({ stage_id }) => stage_id === stage.stage_id);
  if (tasks.length === 0) return { type: "plan", target: { type: "stage", id: stage.stage_id } };
  const task = inOrder(tasks, ({ execution_order }) => execution_order).find(isPending);
  if (task === undefined) {
    const done = becomes(stage.stage_id, "COMPLETED");
    return [{ table: "major_stages", edit: done }, moveEdit(run, inPhase)];
  }
  const inTask = { ...inStage, task: task.task_id };
  if (!isAt(run, inTask)) return [moveEdit(run, inTask)];
  return taskStep(state, task);
}

/**
 * Returns the due edits or the step of a task and its tool tasks: first those before it, then its own work, then those
 * after it. The task is completed when all of them are (R-MV-19 to 22).
 */
function taskStep(state: RunState, task: RunRow<"tasks">): RunEdit[] | Step {
  const { rows } = state;
  const id = task.task_id;
  const helped = (timing: "PRE" | "POST", purpose: string): RunEdit[] | Step | undefined => {
    if (purpose === "") return undefined;
    const own = rows.tool_tasks.filter((one) => one.parent_task_id === id && one.timing === timing);
    if (own.length === 0) {
      const target = { type: "tools", timing, id } as const;
      const action = oneAction(purpose);
      return action === undefined ? { type: "plan", target } : toolEdits(state, target, [action]);
    }
    const tool = inOrder(own, ({ execution_order }) => execution_order).find(isPending);
    return tool && { type: "execute", work: { type: "tool", tool, task } };
  };
  const before = helped("PRE", task.pre_tool_purpose);
  if (before !== undefined) return before;
  // A finished task has registered its output; only its own asset has this source and path.
  const isDone = rows.knowledge_base_catalog.some(
    (asset) => asset.source_task_id === id && asset.file_path === task.output_path,
  );
  if (!isDone) return { type: "execute", work: { type: "task", task } };
  return (
    helped("POST", task.post_tool_purpose) ?? [{ table: "tasks", edit: becomes(id, "COMPLETED") }]
  );
}

/** Returns a step that says how the tables contradict one another; `undefined` if they do not. */
function contradiction({ rows }: RunState): Step | undefined {
  const { phases, major_stages: stages, tasks, tool_tasks: tools } = rows;
  const stage = stages.find((one) => phases.every(({ phase_id }) => phase_id !== one.phase_id));
  // The tasks of a phase are written before its stages.
  const unplanned = phases.filter(({ phase_id: id }) => stages.every((one) => one.phase_id !== id));
  const task = tasks.find(
    (one) =>
      one.stage_id !== preparation &&
      stages.every(({ stage_id }) => stage_id !== one.stage_id) &&
      (one.status !== "PENDING" || unplanned.every((phase) => !isPlannedWith(one, phase.phase_id))),
  );
  const tool = tools.find((one) => tasks.every(({ task_id }) => task_id !== one.parent_task_id));
  const odd = [phases, stages, tasks, tools]
    .flatMap((table): readonly RowWithStatus[] => table)
    .find(({ status }) => !["PENDING", "COMPLETED", "FAILED"].includes(status));
  const reason =
    odd !== undefined
      ? words("A row has no known status: {row}.", { row: JSON.stringify(Object.values(odd)) })
      : stage !== undefined
        ? words("{table} has no {id}, which {other} names for {row}.", {
            table: "phases",
            id: stage.phase_id,
            other: "major_stages",
            row: stage.stage_id,
          })
        : task !== undefined
          ? words("{table} has no {id}, which {other} names for {row}.", {
              table: "major_stages",
              id: task.stage_id,
              other: "tasks",
              row: task.task_id,
            })
          : tool !== undefined
            ? words("{table} has no {id}, which {other} names for {row}.", {
                table: "tasks",
                id: tool.parent_task_id,
                other: "tool_tasks",
                row: tool.tool_task_id,
              })
            : undefined;
  return reason === undefined ? undefined : { type: "unclear", reason };
}

interface RowWithStatus {
  readonly status: string;
}

/** The position of a run. */
interface Place {
  readonly phase: string;
  readonly stage: string;
  readonly task: string;
}

function columnsOf({ phase, stage, task }: Place) {
  return { current_phase_id: phase, current_stage_id: stage, current_task_id: task };
}

function isAt(run: RunRow<"process_runs">, { phase, stage, task }: Place): boolean {
  return (
    run.current_phase_id === phase && run.current_stage_id === stage && run.current_task_id === task
  );
}

function moveEdit(run: RunRow<"process_runs">, place: Place): RunEdit {
  return runEdit(run, columnsOf(place));
}

function runEdit(
  { run_id: id }: RunRow<"process_runs">,
  values: Partial<RunRow<"process_runs">>,
): RunEdit {
  return { table: "process_runs", edit: { type: "set", id, values } };
}

function becomes(id: string, status: "COMPLETED") {
  return { type: "set", id, values: { status } } as const;
}

const isPending = ({ status }: RowWithStatus): boolean => status === "PENDING";

const { compare } = new Intl.Collator("en", { numeric: true });

/** Sorts `P2` before `P10`; rows that compare equal keep their order. */
function inOrder<Row>(rows: readonly Row[], by: (row: Row) => string): Row[] {
  return rows.toSorted((a, b) => compare(by(a), by(b)));
}
