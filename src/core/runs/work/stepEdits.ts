import type { RunEdit, RunState } from "../documents/runState.js";
import type { RunRow } from "../documents/runTables.js";
import type { PlanTarget, Work } from "./step.js";

/** A stage that a planner submits for a phase. Ids, order and status are set by code only. */
export interface PlannedStage {
  readonly name: string;
  readonly goal: string;
  /** Empty if the stage's tasks are planned when it begins. */
  readonly tasks: readonly PlannedTask[];
}

/** A task that a planner submits for a stage; paths are complete. */
export interface PlannedTask {
  readonly name: string;
  readonly purpose: string;
  readonly references: readonly string[];
  readonly outputPath: string;
  readonly before: string;
  readonly after: string;
}

/** A tool task that a planner submits for a task. */
export interface PlannedTool {
  readonly type: string;
  readonly name: string;
  readonly purpose: string;
}

/** A file that an executor has made. */
export interface Asset {
  readonly path: string;
  /** The type of the asset, as in `ANALYSIS_REPORT`. */
  readonly type: string;
  readonly summary: string;
}

type Target<Type extends PlanTarget["type"]> = Extract<PlanTarget, { type: Type }>;

/**
 * Returns the edits for the stages of a phase, and for the tasks that were planned with them. The stages come
 * last: with them the phase counts as planned, and the tasks must be there then.
 */
export function stageEdits(
  state: RunState,
  { id }: Target<"phase">,
  stages: readonly PlannedStage[],
): RunEdit[] {
  const stageId = (index: number) => `${id}-S${index + 1}`;
  const tasks = stages.flatMap((stage, index) =>
    taskEdits(state, { type: "stage", id: stageId(index) }, stage.tasks),
  );
  const rows = stages.map(({ name, goal }, index): RunEdit => {
    const values = {
      stage_id: stageId(index),
      run_id: state.runId,
      phase_id: id,
      stage_name: name,
      stage_goal: goal,
      ...ordered(index),
    };
    return { table: "major_stages", edit: { type: "add", values } };
  });
  return [...tasks, ...rows];
}

/**
 * Returns whether a task was planned with the stages of a phase: by its stage's id, as {@link stageEdits} makes
 * them.
 */
export function isPlannedWith({ stage_id: stage }: RunRow<"tasks">, phaseId: string): boolean {
  return stage.startsWith(`${phaseId}-S`);
}

export function taskEdits(
  { runId, rows }: RunState,
  { id }: Target<"stage">,
  tasks: readonly PlannedTask[],
): RunEdit[] {
  return tasks.map(({ name, purpose, references, outputPath, before, after }, index): RunEdit => {
    const taskId = `${id}-T${index + 1}`;
    const values = {
      task_id: taskId,
      run_id: runId,
      stage_id: id,
      task_name: name,
      task_purpose: purpose,
      related_references: references.join("\n"),
      output_path: outputPath,
      pre_tool_purpose: before,
      post_tool_purpose: after,
      ...ordered(index),
    };
    // The process may have been killed between the tasks of a phase and its stages.
    const isThere = rows.tasks.some(({ task_id }) => task_id === taskId);
    const edit = isThere ? ({ type: "set", id: taskId, values } as const) : undefined;
    return { table: "tasks", edit: edit ?? { type: "add", values } };
  });
}

export function toolEdits(
  { runId }: RunState,
  { id, timing }: Target<"tools">,
  tools: readonly PlannedTool[],
): RunEdit[] {
  return tools.map(({ type, name, purpose }, index) => ({
    table: "tool_tasks",
    edit: {
      type: "add",
      values: {
        tool_task_id: `${id}-${timing}${index + 1}`,
        run_id: runId,
        parent_task_id: id,
        timing,
        tool_type: type,
        tool_task_name: name,
        tool_task_purpose: purpose,
        ...ordered(index),
      },
    },
  }));
}

/**
 * Returns the edits for finished work of an executor. A task's asset comes last: with it, the task itself
 * counts as done, and the next step begins.
 *
 * @param after what must follow the task, if the executor found that something must; a plan's own purpose
 * takes precedence
 */
export function executedEdits(
  { runId, rows }: RunState,
  work: Work,
  assets: readonly Asset[],
  after = "",
): RunEdit[] {
  const id = work.type === "tool" ? work.tool.tool_task_id : work.task.task_id;
  const registered = assets.map(({ path, type, summary }): RunEdit => {
    const values = { run_id: runId, asset_type: type, source_task_id: id, summary };
    const isKnown = rows.knowledge_base_catalog.some(({ file_path }) => file_path === path);
    return {
      table: "knowledge_base_catalog",
      edit: isKnown
        ? { type: "set", id: path, values }
        : { type: "add", values: { file_path: path, ...values } },
    };
  });
  if (work.type === "tool") {
    const values = { status: "COMPLETED" };
    return [...registered, { table: "tool_tasks", edit: { type: "set", id, values } }];
  }
  if (after === "" || work.task.post_tool_purpose !== "") return registered;
  const values = { post_tool_purpose: after };
  return [{ table: "tasks", edit: { type: "set", id, values } }, ...registered];
}

function ordered(index: number): Pick<RunRow<"tasks">, "execution_order" | "status"> {
  return { execution_order: String(index + 1), status: "PENDING" };
}
