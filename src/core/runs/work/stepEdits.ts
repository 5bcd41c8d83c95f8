import type { RunEdit, RunState } from "../documents/runState.js";
import type { RunRow } from "../documents/runTables.js";
import { type PlanTarget, type Work, type Step, targetText } from "./step.js";

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

/**
 * Returns the report of a failure: where the run failed, the purpose of the step, and the error log verbatim
 * (R-MV-26).
 */
export function failureText(
  { runId, rows }: RunState,
  step: Step,
  purpose: string,
  errorLog: string,
): string {
  const run = rows.process_runs[0];
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["run_id", runId],
    ["current_phase_id", run?.current_phase_id],
    ["current_stage_id", run?.current_stage_id],
    ["current_task_id", run?.current_task_id],
    ["failed", pointOf(step)],
    ["purpose", purpose.replace(/\s+/g, " ").trim()],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`- ${name}: ${value}`],
  );
  // The fence must be longer than any within the error log.
  const marks = [...errorLog.matchAll(/`{3,}/g)].map(([one]) => one.length + 1);
  const fence = "`".repeat(Math.max(3, ...marks));
  return [
    `# ${runId} has failed`,
    "",
    ...lines,
    "",
    "## Error log",
    "",
    fence,
    errorLog.trimEnd(),
    fence,
    "",
  ].join("\n");
}

function pointOf(step: Step): string {
  if (step.type === "plan") return `plan_target ${targetText(step.target)}`;
  if (step.type === "prepare") return `task ${step.task}`;
  if (step.type !== "execute") return "";
  const { work } = step;
  return work.type === "tool" ? `tool task ${work.tool.tool_task_id}` : `task ${work.task.task_id}`;
}
