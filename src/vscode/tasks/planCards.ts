import type * as vscode from "vscode";
import type { ConversationState } from "../../core/conversation/state/conversationState.js";
import type { Item, PlanTask } from "../../core/conversation/state/items.js";
import type { Overview, TaskView } from "../../core/navigator/overview/overview.js";
import { type CardEvent, followCards } from "../work/followCards.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { TaskList } from "./taskList.js";

type PlanItem = Extract<Item, { kind: "plan" }>;
type PlanEventTask = NonNullable<Extract<CardEvent, { type: "plan" }>["tasks"]>[number];

/** Keeps the cards of plans in line with the queue, whoever changes it. */
export function followPlanCards(list: TaskList, workspace: CurrentWorkspace): vscode.Disposable {
  const seen = new WeakMap<ConversationState, ReadonlySet<string>>();
  return followCards(list, workspace, (overview, state) => {
    const { events, isUnsure } = planEvents(overview, state, seen.get(state) ?? new Set());
    seen.set(state, waitingTasks(state));
    if (isUnsure) list.refresh();
    return events;
  });
}

/** Returns the ids of the tasks that the cards of plans show as waiting. */
export function waitingTasks({ items }: Pick<ConversationState, "items">): Set<string> {
  const plans = items.filter((item) => item.kind === "plan");
  const waiting = plans.flatMap(({ tasks }) => tasks.filter(({ state }) => state === "waiting"));
  return new Set(waiting.map(({ taskId }) => taskId));
}

/**
 * Returns what changes in the cards of plans.
 *
 * @param seen ids of tasks that cards showed as waiting before the overview was read: only of these is it certain
 *   that they have left the queue if the overview lacks them. `isUnsure`: there are others
 */
export function planEvents(
  overview: Overview,
  { items }: Pick<ConversationState, "items">,
  seen: ReadonlySet<string>,
): { events: CardEvent[]; isUnsure: boolean } {
  const events: CardEvent[] = [];
  let isUnsure = false;
  for (const item of items) {
    if (item.kind !== "plan") continue;
    const queued = overview.tasks.filter((task) => task.isQueued && task.planId === item.planId);
    const ids = new Set(queued.map(({ taskId }) => taskId));
    // Tasks that other machines have been given are in no queue here.
    const away = overview.away?.find(({ planId }) => planId === item.planId)?.tasks ?? [];
    const isAway = (task: PlanTask) => away.some(({ taskId }) => taskId === task.taskId);
    const isGone = (task: PlanTask) =>
      task.state === "waiting" && !ids.has(task.taskId) && !isAway(task);
    if (item.tasks.some((task) => isGone(task) && !seen.has(task.taskId))) {
      isUnsure = true;
      continue;
    }
    const tasks =
      item.tasks.length === 0 ? unknownTasks(overview, item) : merged(item, queued, isAway);
    if (tasks.length === 0 || isShown(item, tasks)) continue;
    const { planId, taskId, goal } = item;
    events.push({ type: "plan", planId, taskId, goal, tasks });
  }
  return { events, isUnsure };
}

/** Returns the card's tasks with the queued ones in queue order; those that are not queued keep their places. */
function merged(
  { tasks }: PlanItem,
  queued: readonly TaskView[],
  isAway: (task: PlanTask) => boolean,
): PlanEventTask[] {
  const ids = new Set(queued.map(({ taskId }) => taskId));
  const rest = [...queued];
  const inPlace = tasks.flatMap((task): PlanEventTask[] => {
    if (!ids.has(task.taskId)) return [unqueued(task, isAway(task))];
    const next = rest.shift();
    return next === undefined ? [] : [inQueue(next)];
  });
  return [...inPlace, ...rest.map(inQueue)];
}

function inQueue({ taskId, mode, goal, isHeld }: TaskView): PlanEventTask {
  return { taskId, mode, goal, ...(isHeld ? { is: "held" } : {}) };
}

function unqueued({ taskId, mode, goal, state }: PlanTask, isAway: boolean): PlanEventTask {
  if (isAway) return { taskId, mode, goal, is: "away" };
  const isSkipped = state === "waiting" || state === "skipped";
  return { taskId, mode, goal, ...(isSkipped ? { is: "skipped" } : {}) };
}

/** Returns the tasks of a plan whose installation the conversation does not show; none before they are in the queue. */
function unknownTasks({ plans, tasks }: Overview, { planId }: PlanItem): PlanEventTask[] {
  const plan = plans.find((one) => one.planId === planId);
  const found = (plan?.tasks ?? []).flatMap(
    (id) => tasks.find(({ taskId }) => taskId === id) ?? [],
  );
  // They get their folders first, and all of their lines at once.
  const isInstalled = found.some(
    ({ isQueued, state }) => isQueued === true || state !== "interrupted",
  );
  return isInstalled ? found.map(inQueue) : [];
}

function isShown({ tasks }: PlanItem, wanted: readonly PlanEventTask[]): boolean {
  if (tasks.length !== wanted.length) return false;
  return tasks.every((task, index) => {
    const { taskId, mode, goal, is } = wanted[index] ?? {};
    const isSame = task.taskId === taskId && task.mode === mode && task.goal === goal;
    const isSkipped = task.state === "skipped";
    const isPlaced = (task.isAway === true) === (is === "away");
    return (
      isSame && isPlaced && task.isHeld === (is === "held") && isSkipped === (is === "skipped")
    );
  });
}
