import type { RunEdit, RunState } from "./runState.js";
import type { RunRow } from "./runTables.js";
import type { PlanTarget, Work } from "./step.js";

/** A stage that a planner submits for a phase. Ids, order and status are set by code only. */
export interface PlannedStage {
  readonly name: string;
  readonly goal: string;
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

export function stageEdits(
  { runId }: RunState,
  { id }: Target<"phase">,
  stages: readonly PlannedStage[],
): RunEdit[] {
  return stages.map(({ name, goal }, index) => ({
    table: "major_stages",
    edit: {
      type: "add",
      values: {
        stage_id: `${id}-S${index + 1}`,
        run_id: runId,
        phase_id: id,
        stage_name: name,
        stage_goal: goal,
        ...ordered(index),
      },
    },
  }));
}

export function taskEdits(
  { runId }: RunState,
  { id }: Target<"stage">,
  tasks: readonly PlannedTask[],
): RunEdit[] {
  return tasks.map(({ name, purpose, references, outputPath, before, after }, index) => ({
    table: "tasks",
    edit: {
      type: "add",
      values: {
        task_id: `${id}-T${index + 1}`,
        run_id: runId,
        stage_id: id,
        task_name: name,
        task_purpose: purpose,
        related_references: references.join("\n"),
        output_path: outputPath,
        pre_tool_purpose: before,
        post_tool_purpose: after,
        ...ordered(index),
      },
    },
  }));
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
