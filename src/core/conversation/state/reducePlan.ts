import type { AgentEvent } from "../../agent/events.js";
import type { TaskId } from "../../ids.js";
import type { ConversationEvent, TaskEnd } from "../events/events.js";
import {
  itemOfKind,
  putItem,
  type ConversationState,
  type ItemChange,
} from "./conversationState.js";
import type { Item, PlanTask } from "./items.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;
type PlanItem = Extract<Item, { kind: "plan" }>;

/** Shows a plan, or its tasks as they are now; each of them keeps how far it is. */
export function applyPlan(state: ConversationState, event: EventOf<"plan">): ItemChange[] {
  const { planId: id, taskId, goal, overview, tasks, at, work } = event;
  const shown = itemOfKind(state, id, "plan");
  if (shown === undefined && state.positions.has(id)) return [];
  const known = new Map((shown?.tasks ?? []).map((task) => [task.taskId, task]));
  const now = tasks?.map(({ taskId: own, mode, goal: ownGoal, is }): PlanTask => {
    const before = known.get(own) ?? unbegun;
    const canSkip = before.state === "waiting" || before.state === "skipped";
    const skipped = is === "skipped" ? "skipped" : "waiting";
    return {
      ...before,
      taskId: own,
      mode,
      goal: ownGoal,
      state: canSkip ? skipped : before.state,
      isHeld: is === "held",
      ...(is === "away" || "isAway" in before ? { isAway: is === "away" } : {}),
    };
  });
  for (const task of now ?? []) state.plans.set(task.taskId, id);
  state.plans.set(taskId, id);
  const begun = shown ?? {
    kind: "plan",
    id,
    at,
    taskId,
    planId: id,
    planner: "working",
    tasks: [],
  };
  return [
    putItem(state, {
      ...begun,
      ...(work && { work }),
      goal,
      ...(overview === undefined ? {} : { overview }),
      ...(now === undefined ? {} : { tasks: now }),
    }),
  ];
}

/** Shows in the plan that its planner, or one of its tasks, has begun. */
export function startInPlan(
  state: ConversationState,
  event: EventOf<"sessionStarted">,
): ItemChange[] {
  const { taskId, at, mode, goal } = event;
  return change(state, taskId, {
    planner: () => "working",
    task: (task) =>
      task.state === "running" ? task : { ...task, mode, goal, state: "running", startedAt: at },
  });
}

/** Shows in the plan that its planner, or one of its tasks, has ended or waits for the user. */
export function endInPlan(state: ConversationState, event: EventOf<"sessionEnded">): ItemChange[] {
  const { taskId, at, end } = event;
  return change(state, taskId, {
    planner: () => end,
    task: (task) => paused(task, stateAfter[end], at),
  });
}

/** Shows in the plan that one of its tasks waits for the user, or does so no longer. */
export function askInPlan(state: ConversationState, taskId: TaskId, asks: boolean): ItemChange[] {
  const from = asks ? "running" : "needsYou";
  return change(state, taskId, {
    task: (task) =>
      task.state === from ? { ...task, state: asks ? "needsYou" : "running" } : task,
  });
}

/** Adds the usage of a model call to the plan's task. */
export function useInPlan(
  state: ConversationState,
  taskId: TaskId,
  { usage }: Extract<AgentEvent, { type: "usage" }>,
): ItemChange[] {
  if (usage === null) return [];
  return change(state, taskId, {
    task: (task) => ({
      ...task,
      tokens: task.tokens + usage.inputTokens + usage.outputTokens,
      costUsd:
        task.costUsd === null || usage.costUsd === undefined ? null : task.costUsd + usage.costUsd,
    }),
  });
}

/**
 * Has plans show that tasks of theirs are to be done anew, by other tasks in their places. Returns these plans as they
 * were.
 */
export function returnToPlan(
  state: ConversationState,
  returning: EventOf<"restored">["returning"],
): PlanItem[] {
  const again = new Map(returning.map((one) => [one.taskId, one.again]));
  const before = state.items.filter((item): item is PlanItem => {
    return item.kind === "plan" && item.tasks.some(({ taskId }) => again.has(taskId));
  });
  for (const plan of before) {
    const tasks = plan.tasks.map((task): PlanTask => {
      const { taskId, mode, goal, autoProceed } = again.get(task.taskId) ?? {};
      if (taskId === undefined || mode === undefined || goal === undefined) return task;
      state.plans.set(taskId, plan.id);
      return { taskId, mode, goal, isHeld: autoProceed === false, ...unbegun };
    });
    putItem(state, { ...plan, tasks });
  }
  return before;
}

/** Has a plan show its tasks as they were; those that were added since stay if they have begun. */
export function planBefore(state: ConversationState, before: PlanItem): void {
  const plan = itemOfKind(state, before.id, "plan");
  if (plan === undefined) return;
  const now = new Map(plan.tasks.map((task) => [task.taskId, task]));
  const known = new Set(before.tasks.map(({ taskId }) => taskId));
  const added = plan.tasks.filter(
    (task) => !known.has(task.taskId) && task.state !== "waiting" && task.state !== "skipped",
  );
  const tasks = before.tasks.map((task) => now.get(task.taskId) ?? task);
  putItem(state, { ...plan, tasks: [...tasks, ...added] });
}

/** The state, time and cost that a plan shows for a task that has not begun. */
const unbegun = { state: "waiting", workedMs: 0, tokens: 0, costUsd: 0 } as const;

/** Returns the plan as it is when nobody works on it any more. */
export function settledPlan(item: PlanItem): PlanItem {
  return {
    ...item,
    planner: item.planner === "working" ? "Stopped" : item.planner,
    tasks: item.tasks.map((task) =>
      task.state === "running" ? { ...task, state: "stopped" } : task,
    ),
  };
}

const stateAfter: Readonly<Record<TaskEnd, PlanTask["state"]>> = {
  Done: "done",
  Advice: "done",
  Failed: "failed",
  NeedsClarification: "needsYou",
  Stopped: "stopped",
  Waiting: "needsYou",
};

function paused(task: PlanTask, state: PlanTask["state"], at: string): PlanTask {
  const { startedAt, ...rest } = task;
  if (startedAt === undefined && state === task.state) return task;
  const ran = startedAt === undefined ? 0 : Date.parse(at) - Date.parse(startedAt);
  return { ...rest, state, workedMs: task.workedMs + Math.max(0, ran || 0) };
}

function change(
  state: ConversationState,
  taskId: TaskId,
  {
    planner,
    task: changed,
  }: { planner?: () => PlanItem["planner"]; task: (task: PlanTask) => PlanTask },
): ItemChange[] {
  const item = itemOfKind(state, state.plans.get(taskId) ?? "", "plan");
  if (item === undefined) return [];
  if (item.taskId === taskId) {
    const now = planner?.() ?? item.planner;
    return now === item.planner ? [] : [putItem(state, { ...item, planner: now })];
  }
  const tasks = item.tasks.map((task) => (task.taskId === taskId ? changed(task) : task));
  const isSame = tasks.every((task, index) => task === item.tasks[index]);
  return isSame ? [] : [putItem(state, { ...item, tasks })];
}
