import type {
  PlanState,
  PlanView,
  QueueProblem,
  TaskState,
} from "../../core/navigator/overview.js";
import type { Overview, TaskView } from "../../core/navigator/overview.js";
import { planIdOf } from "../../core/navigator/taskIds.js";
import type { Rows } from "../work/rowTree.js";

/**
 * A row of the tree; `id` stays the same as long as the row is about the same thing in the same place.
 * A task that changes its state gets a new row, because VS Code mixes up rows that move.
 */
export type TaskNode =
  | {
      readonly kind: "group";
      readonly id: string;
      readonly state: TaskState;
      /** The number of tasks below it that count as being in this state. */
      readonly count: number;
    }
  | { readonly kind: "plan"; readonly id: string; readonly plan: PlanView }
  | {
      readonly kind: "task";
      readonly id: string;
      readonly task: TaskView;
      /** Whether there is a queued task before or behind it to change places with. */
      readonly before: boolean;
      readonly behind: boolean;
    }
  | { readonly kind: "problem"; readonly id: string; readonly problem: QueueProblem };

/** All task states, in the order in which their groups are shown. */
const states = [
  "needsYou",
  "running",
  "queued",
  "interrupted",
  "done",
  "failed",
  "foreign",
] as const;

type Entry = TaskView | { readonly plan: PlanView; readonly tasks: readonly TaskView[] };

/**
 * Groups tasks by state. A plan of several tasks is one row with all of them below it, in the group of
 * the plan's own state: first the planning and the tasks that have begun, then the queued ones in queue
 * order.
 */
export function groupTasks(overview: Overview): Rows<TaskNode> {
  const nodes = new Map<string, TaskNode>();
  const children = new Map<string, string[]>([["", []]]);
  const add = (parent: string, node: TaskNode) => {
    nodes.set(node.id, node);
    const siblings = children.get(parent);
    if (siblings) siblings.push(node.id);
    else children.set(parent, [node.id]);
  };

  for (const problem of overview.problems) {
    add("", { kind: "problem", id: `problem:${problem.line}`, problem });
  }
  const queue = overview.tasks.filter(isQueued).map(({ taskId }) => taskId);
  const addTask = (parent: string, state: TaskState, task: TaskView) => {
    const place = queue.indexOf(task.taskId);
    const movable = place >= 0;
    add(parent, {
      kind: "task",
      id: `task:${state}:${task.state}:${task.taskId}`,
      task,
      before: movable && place > 0,
      behind: movable && place < queue.length - 1,
    });
  };
  const groups = entriesByState(overview);
  for (const state of states) {
    const entries = groups.get(state) ?? [];
    if (entries.length === 0) continue;
    const group = `group:${state}`;
    const tasks = entries.flatMap((entry) => ("plan" in entry ? entry.tasks : [entry]));
    const count = tasks.filter((task) => countsAs(task.state, state)).length;
    add("", { kind: "group", id: group, state, count });
    for (const entry of entries) {
      if (!("plan" in entry)) {
        addTask(group, state, entry);
        continue;
      }
      const id = `plan:${state}:${entry.plan.planId}`;
      add(group, { kind: "plan", id, plan: entry.plan });
      for (const task of entry.tasks) addTask(id, state, task);
    }
  }
  return { nodes, children };
}

/** Groups plans and tasks by state; a plan takes the position of the first of its tasks. */
function entriesByState({ tasks, plans }: Overview): Map<TaskState, Entry[]> {
  const groups = new Map<TaskState, Entry[]>(states.map((state) => [state, []]));
  const byId = new Map(tasks.map((task) => [task.taskId, task]));
  // A plan with only one task would show the same as the task.
  const several = plans.filter((plan) => plan.tasks.length > 1);
  const planOf = new Map(several.map((plan) => [plan.planId, plan]));
  const placed = new Set<PlanView>();
  for (const task of tasks) {
    const plan = planOf.get(planIdFor(task));
    if (plan === undefined) {
      groups.get(task.state)?.push(task);
      continue;
    }
    if (placed.has(plan)) continue;
    placed.add(plan);
    const queued = tasks.filter((one) => isQueued(one) && one.planId === plan.planId);
    const others = plan.tasks.flatMap((id) => byId.get(id) ?? []).filter((one) => !isQueued(one));
    const planner = tasks.filter((one) => one.planId === null && planIdFor(one) === plan.planId);
    const entry = { plan, tasks: [...planner, ...others, ...queued] };
    groups.get(groupOf(plan, queued.length > 0))?.push(entry);
  }
  return groups;
}

/** Returns the id of a task's plan, or `""`. The planner's own task belongs to the plan that it made. */
function planIdFor({ taskId, planId, mode }: TaskView): string {
  return planId ?? (mode === "rooroo-planner" ? planIdOf(taskId) : "");
}

function isQueued({ state }: TaskView): boolean {
  return state === "queued";
}

/** Returns whether a task counts in a group. If a plan is halted, its failed tasks need attention, too. */
function countsAs(state: TaskState, group: TaskState): boolean {
  return state === group || (group === "interrupted" && state === "failed");
}

function groupOf(plan: PlanView, hasQueued: boolean): TaskState {
  const groups: Readonly<Record<PlanState, TaskState>> = {
    waiting: "needsYou",
    running: "running",
    queued: "queued",
    done: "done",
    // With queued tasks left, the user has to decide how the plan continues.
    halted: hasQueued ? "interrupted" : "failed",
  };
  return groups[plan.state];
}
