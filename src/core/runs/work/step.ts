import type { Said } from "../../text/words.js";
import type { RunRows } from "../documents/runState.js";
import type { RunRow } from "../documents/runTables.js";

/** The only thing that a planner is called to plan. */
export type PlanTarget =
  /** The proposal that the user is asked to confirm. */
  | { readonly type: "proposal" }
  /** A phase's stages, and their tasks as far as they can be told already. */
  | { readonly type: "phase"; readonly id: string }
  /** A stage's tasks. */
  | { readonly type: "stage"; readonly id: string }
  /** The tool tasks before or after a task. */
  | { readonly type: "tools"; readonly timing: Timing; readonly id: string };

type Timing = "PRE" | "POST";

/** The row that an executor works on. */
export type Work =
  | { readonly type: "task"; readonly task: RunRow<"tasks"> }
  | {
      readonly type: "tool";
      readonly tool: RunRow<"tool_tasks">;
      readonly task: RunRow<"tasks">;
    };

/** The next step of a run. */
export type Step =
  | { readonly type: "plan"; readonly target: PlanTarget }
  | { readonly type: "execute"; readonly work: Work }
  /** Code does it without a model. */
  | { readonly type: "prepare"; readonly task: CodeTask }
  /** The run waits until the user decides. */
  | { readonly type: "await" }
  | { readonly type: "report"; readonly outcome: Outcome }
  | { readonly type: "over"; readonly outcome: Outcome }
  /** The tables contradict one another: only a person can resolve that. */
  | { readonly type: "unclear"; readonly reason: Said };

/** A step that an agent does. */
export type AgentStep = Extract<Step, { type: "plan" | "execute" }>;

type Outcome = "COMPLETED" | "FAILED";

/** The tasks that prepare a run, in order; code does all but the last. In place of T01 there is the proposal. */
export const preparationTasks = ["T00", "T02", "T03", "T04"] as const;
/** A part of the preparation that code does: `phase:0` lists its tasks, the others are its tasks without a model. */
export type CodeTask = "phase:0" | Exclude<(typeof preparationTasks)[number], "T04">;

/** Returns a target in the protocol's notation, as in `pre_tool:P1-S1-T1`. */
export function targetText(target: PlanTarget): string {
  switch (target.type) {
    case "proposal":
      return "feedback_generation";
    case "phase":
    case "stage":
      return `${target.type}:${target.id}`;
    case "tools":
      return `${target.timing.toLowerCase()}_tool:${target.id}`;
  }
}

/** Returns the objective of an agent's step in one line, for people. */
export function stepObjective(step: AgentStep, rows: RunRows): string {
  if (step.type === "execute") {
    const { work } = step;
    return work.type === "task" ? work.task.task_name : work.tool.tool_task_name;
  }
  const { target } = step;
  switch (target.type) {
    case "proposal":
      return "Propose what the run is to hold to";
    case "phase": {
      const phase = rows.phases.find(({ phase_id }) => phase_id === target.id);
      return `Plan the phase ${phase?.phase_name ?? target.id}`;
    }
    case "stage": {
      const stage = rows.major_stages.find(({ stage_id }) => stage_id === target.id);
      return `Plan the tasks of “${stage?.stage_name ?? target.id}”`;
    }
    case "tools": {
      const task = rows.tasks.find(({ task_id }) => task_id === target.id);
      const when = target.timing === "PRE" ? "before it begins" : "now that it is done";
      return `Plan what helps “${task?.task_name ?? target.id}” ${when}`;
    }
  }
}

/**
 * Returns the unit of a step.
 *
 * @param round the number of the present proposal, 1-based
 */
export function unitOfStep(step: AgentStep, round: number): string {
  if (step.type === "plan") {
    const { target } = step;
    const which = target.type === "proposal" ? `-${round}` : "";
    return `plan-${targetText(target).replace(":", "-")}${which}`;
  }
  const { work } = step;
  return work.type === "tool" ? work.tool.tool_task_id : work.task.task_id;
}
