import { phaseNames } from "../../../../src/core/runs/documents/runLayout.js";
import type { RunRows, RunState } from "../../../../src/core/runs/documents/runState.js";
import { preparationTasks } from "../../../../src/core/runs/work/step.js";

export const runId = "run-20260301-101500-001";
type Rows<Name extends keyof RunRows> = RunRows[Name][number];

export const runRow = (status = "PENDING", at: readonly string[] = []): Rows<"process_runs"> => ({
  run_id: runId,
  user_request: "Write a report",
  status,
  current_phase_id: at[0] ?? "",
  current_stage_id: at[1] ?? "",
  current_task_id: at[2] ?? "",
});

export const phaseRow = (id: string, status = "PENDING"): Rows<"phases"> => ({
  phase_id: id,
  run_id: runId,
  phase_name: phaseNames[Number(id.slice(1)) - 1] ?? "",
  phase_purpose: "Why",
  status,
});

export const stageRow = (id: string, status = "PENDING", order = "1"): Rows<"major_stages"> => ({
  stage_id: id,
  run_id: runId,
  phase_id: id.split("-")[0] ?? "",
  stage_name: "Stage",
  stage_goal: "Goal",
  execution_order: order,
  status,
});

export const taskRow = (
  id: string,
  status = "PENDING",
  more: Partial<Rows<"tasks">> = {},
): Rows<"tasks"> => ({
  task_id: id,
  run_id: runId,
  stage_id: id.split("-").slice(0, 2).join("-"),
  task_name: "Task",
  task_purpose: "Do",
  related_references: "assets/a.md",
  output_path: `runs/${runId}/workspace/ANALYZING/${id}.md`,
  pre_tool_purpose: "",
  post_tool_purpose: "",
  execution_order: "1",
  status,
  ...more,
});

export const toolRow = (id: string, status = "PENDING", order = "1"): Rows<"tool_tasks"> => ({
  tool_task_id: id,
  run_id: runId,
  parent_task_id: id.split("-").slice(0, 3).join("-"),
  timing: id.includes("PRE") ? "PRE" : "POST",
  tool_type: "Web Search",
  tool_task_name: "Tool",
  tool_task_purpose: "Help",
  execution_order: order,
  status,
});

export const assetRow = (task: Rows<"tasks">): Rows<"knowledge_base_catalog"> => ({
  file_path: task.output_path,
  run_id: runId,
  asset_type: "ANALYSIS_REPORT",
  source_task_id: task.task_id,
  summary: "",
});

/** Returns the tasks that prepare a run, so many of them done. */
export const preparation = (done: number): Rows<"tasks">[] =>
  preparationTasks.map((id, index) =>
    taskRow(id, index < done ? "COMPLETED" : "PENDING", {
      stage_id: "0",
      execution_order: String(index + 1),
    }),
  );

/** Returns a state that has these rows, and is prepared where nothing else is said. */
export function stateOf(rows: Partial<RunRows>, more: Partial<RunState> = {}): RunState {
  const none = { user_instructions: [], knowledge_base_catalog: [], major_stages: [] };
  return {
    runId,
    hasProposal: true,
    isReported: false,
    ...more,
    rows: {
      ...none,
      tool_tasks: [],
      left_out: [],
      process_runs: [runRow()],
      phases: ["P1", "P2", "P3", "P4"].map((id) => phaseRow(id)),
      ...rows,
      tasks: [...preparation(4), ...(rows.tasks ?? [])],
    },
  };
}
