import type { RunRow } from "./runTables.js";

/** What a planner is called for, and nothing beside it. */
export type PlanTarget =
  /** The tasks that prepare the run. */
  | { readonly type: "preparation" }
  /** What the person is asked to confirm. */
  | { readonly type: "proposal" }
  /** A phase's stages. */
  | { readonly type: "phase"; readonly id: string }
  /** A stage's tasks. */
  | { readonly type: "stage"; readonly id: string }
  /** What helps a task before or after it. */
  | { readonly type: "tools"; readonly timing: Timing; readonly id: string };

type Timing = "PRE" | "POST";

/** What an executor is called for: one row. */
export type Work =
  | { readonly type: "task"; readonly task: RunRow<"tasks"> }
  | {
      readonly type: "tool";
      readonly tool: RunRow<"tool_tasks">;
      readonly task: RunRow<"tasks">;
    };

/** What comes next in a run. */
export type Step =
  | { readonly type: "plan"; readonly target: PlanTarget }
  | { readonly type: "execute"; readonly work: Work }
  /** What code does by itself: folders, instructions, catalog. */
  | { readonly type: "prepare"; readonly task: CodeTask }
  /** Until the person says what is to be done. */
  | { readonly type: "await" }
  | { readonly type: "report"; readonly outcome: Outcome }
  | { readonly type: "over"; readonly outcome: Outcome }
  /** The tables contradict one another: only a person can say what they mean. */
  | { readonly type: "unclear"; readonly reason: string };

type Outcome = "COMPLETED" | "FAILED";

/** Those that prepare a run, in order; all but the last are code's. */
export const preparationTasks = ["T00", "T02", "T03", "T04"] as const;
export type CodeTask = Exclude<(typeof preparationTasks)[number], "T04">;

/** As the protocol writes it, as in `pre_tool:P1-S1-T1`. */
export function targetText(target: PlanTarget): string {
  switch (target.type) {
    case "preparation":
      return "phase:0";
    case "proposal":
      return "feedback_generation";
    case "phase":
    case "stage":
      return `${target.type}:${target.id}`;
    case "tools":
      return `${target.timing.toLowerCase()}_tool:${target.id}`;
  }
}
