import { type Effort, noEffort } from "../agent/messages.js";
import { addCosts } from "../agent/price.js";
import type { PlanState, PlanView, TaskView } from "./overview.js";
import { planIdOf } from "./taskIds.js";

/** Groups tasks into their plans, in the order of each plan's first task in the list. */
export function planViews(tasks: readonly TaskView[]): PlanView[] {
  const byPlan = new Map<string, TaskView[]>();
  for (const task of tasks) {
    if (task.planId === null) continue;
    byPlan.set(task.planId, [...(byPlan.get(task.planId) ?? []), task]);
  }
  const planners = new Map(
    tasks.flatMap((task) =>
      task.mode === "rooroo-planner" ? [[planIdOf(task.taskId), task] as const] : [],
    ),
  );
  return [...byPlan].map(([planId, own]) => {
    const planner = planners.get(planId);
    const ordered = [...own].sort((a, b) => (a.taskId < b.taskId ? -1 : 1));
    const all = planner === undefined ? ordered : [planner, ...ordered];
    return {
      planId,
      goal: planner?.goal ?? ordered[0]?.goal ?? planId,
      path: `.rooroo/plans/${planId}.md`,
      tasks: ordered.map(({ taskId }) => taskId),
      done: ordered.filter(({ state }) => state === "done").length,
      state: stateOf(ordered),
      ...(ordered.some(({ hasChanges }) => hasChanges) ? { hasChanges: true } : {}),
      effort: all.reduce((sum, { effort }) => add(sum, effort ?? noEffort), noEffort),
    };
  });
}

function stateOf(tasks: readonly TaskView[]): PlanState {
  const has = (...states: TaskView["state"][]): boolean =>
    tasks.some(({ state }) => states.includes(state));
  if (has("running")) return "running";
  if (has("needsYou")) return "waiting";
  if (has("failed", "interrupted")) return "halted";
  return has("queued") ? "queued" : "done";
}

function add(a: Effort, b: Effort): Effort {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: addCosts(a.costUsd, b.costUsd),
    workedMs: a.workedMs + b.workedMs,
  };
}
