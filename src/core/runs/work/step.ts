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
  | { readonly type: "unclear"; readonly reason: string };

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
