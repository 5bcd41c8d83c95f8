import type { RunEdit, RunState } from "./runState.js";
import type { Step } from "./step.js";

/**
 * Returns the edits that pass a failure on to everything that contains it, from the smallest part to the run.
 * They are written in this order, so that a process that is killed in between leaves only later ones to do
 * (R-MV-25). Returns none if nothing has failed.
 *
 * @param step the step that has just failed, if that is not written yet; a plan that was not made has no row
 */
export function failureEdits({ rows, runId }: RunState, step?: Step): RunEdit[] {
  const failed = <Row extends { readonly status: string }>(
    all: readonly Row[],
    id: (row: Row) => string,
    more: readonly (string | undefined)[],
  ) => {
    const parts = all.filter((row) => row.status === "FAILED" || more.includes(id(row)));
    return { parts, open: parts.filter(({ status }) => status !== "FAILED").map(id) };
  };
  const at = placeOf(step);
  const tools = failed(rows.tool_tasks, (row) => row.tool_task_id, [at.tool]);
  const parents = tools.parts.map((row) => row.parent_task_id);
  const tasks = failed(rows.tasks, (row) => row.task_id, [at.task, ...parents]);
  const inStages = tasks.parts.map((row) => row.stage_id);
  const stages = failed(rows.major_stages, (row) => row.stage_id, [at.stage, ...inStages]);
  const inPhases = stages.parts.map((row) => row.phase_id);
  const phases = failed(rows.phases, (row) => row.phase_id, [at.phase, ...inPhases]);
  const isWell = [tools, tasks, stages, phases].every(({ parts }) => parts.length === 0);
  if (isWell && step === undefined) return [];
  const values = { status: "FAILED" };
  const set = (id: string) => ({ type: "set", id, values }) as const;
  return [
    ...tools.open.map((id): RunEdit => ({ table: "tool_tasks", edit: set(id) })),
    ...tasks.open.map((id): RunEdit => ({ table: "tasks", edit: set(id) })),
    ...stages.open.map((id): RunEdit => ({ table: "major_stages", edit: set(id) })),
    ...phases.open.map((id): RunEdit => ({ table: "phases", edit: set(id) })),
    { table: "process_runs", edit: set(runId) },
  ];
}

/** Returns the ids of the row that a step is about. */
function placeOf(
  step: Step | undefined,
): Partial<Record<"tool" | "task" | "stage" | "phase", string>> {
  if (step?.type === "prepare") return { task: step.task };
  if (step?.type === "execute") {
    const { work } = step;
    return work.type === "tool" ? { tool: work.tool.tool_task_id } : { task: work.task.task_id };
  }
  if (step?.type !== "plan") return {};
  const { target } = step;
  if (target.type === "tools") return { task: target.id };
  if (target.type === "stage") return { stage: target.id };
  return target.type === "phase" ? { phase: target.id } : {};
}
