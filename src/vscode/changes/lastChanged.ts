import type { ConversationState } from "../../core/conversation/state/conversationState.js";
import type { Item } from "../../core/conversation/state/items.js";
import { lastChangedReport } from "../../core/conversation/state/lastChangedReport.js";
import type { TaskId } from "../../core/ids.js";

/** A task or a plan that has changed files. */
export interface ChangedSubject {
  /** The id of a task or a plan. */
  readonly id: string;
  readonly goal: string;
  /** The id of the report's item. */
  readonly report: string;
  readonly taskIds: readonly TaskId[];
}

/** Returns the task that has ended last with changes or, if it was the last of a plan, the plan. */
export function lastChanged({
  items,
  plans,
}: Pick<ConversationState, "items" | "plans">): ChangedSubject | undefined {
  const report = lastChangedReport(items);
  if (report === undefined || report.undone?.left.length === 0) return undefined;
  const { taskId } = report;
  const plan = items.find((item): item is PlanItem => {
    return item.kind === "plan" && item.planId === plans.get(taskId);
  });
  const ended = plan?.tasks.filter(({ state }) => state === "done" || state === "failed") ?? [];
  const isOver = plan?.tasks.every(({ state }) => endStates.has(state)) ?? false;
  if (plan !== undefined && isOver && ended.length > 1) {
    return {
      id: plan.planId,
      goal: plan.goal,
      report: report.id,
      taskIds: ended.map((task) => task.taskId),
    };
  }
  const task = items.findLast((item) => item.kind === "task" && item.taskId === taskId);
  const goal = task?.kind === "task" ? task.goal : "";
  return { id: taskId, goal, report: report.id, taskIds: [taskId] };
}

type PlanItem = Extract<Item, { kind: "plan" }>;

const endStates: ReadonlySet<string> = new Set(["done", "failed", "skipped"]);
