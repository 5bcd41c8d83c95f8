import type { QueueProblem, TaskState, TaskView } from "../core/navigator/overview.js";
import type { Overview } from "../core/navigator/overview.js";

/**
 * A row of the tree; `id` stays the same as long as the row is about the same thing in the same
 * place. A task that changes its state gets another row: VS Code mixes up rows that move.
 */
export type TaskNode =
  | {
      readonly kind: "group";
      readonly id: string;
      readonly state: TaskState;
      readonly count: number;
    }
  | {
      readonly kind: "plan";
      readonly id: string;
      /** What the plan is for. */
      readonly goal: string;
      readonly done: number;
      readonly count: number;
      readonly state: TaskState;
    }
  | { readonly kind: "task"; readonly id: string; readonly task: TaskView }
  | { readonly kind: "problem"; readonly id: string; readonly problem: QueueProblem };

/** The whole tree at one moment. */
export interface TaskTree {
  readonly nodes: ReadonlyMap<string, TaskNode>;
  /** By parent; `""` has the roots. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** In the order in which they are shown. */
const states = ["needsYou", "running", "queued", "interrupted", "done", "failed"] as const;

/** Groups tasks by state, and inside of a group those of one plan, where there are several. */
export function groupTasks(overview: Overview): TaskTree {
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
  const plans = countPlans(overview.tasks);
  for (const state of states) {
    const tasks = overview.tasks.filter((task) => task.state === state);
    if (tasks.length === 0) continue;
    const group = `group:${state}`;
    add("", { kind: "group", id: group, state, count: tasks.length });
    const perPlan = new Map<string, number>();
    for (const { planId } of tasks) if (planId) perPlan.set(planId, (perPlan.get(planId) ?? 0) + 1);
    for (const task of tasks) {
      const node: TaskNode = { kind: "task", id: `task:${state}:${task.taskId}`, task };
      const plan = task.planId === null ? undefined : plans.get(task.planId);
      if (plan === undefined || (perPlan.get(task.planId ?? "") ?? 0) < 2) {
        add(group, node);
        continue;
      }
      const id = `plan:${state}:${task.planId ?? ""}`;
      if (!nodes.has(id)) add(group, { kind: "plan", id, state, ...plan });
      add(id, node);
    }
  }
  // A plan's tasks are numbered, so their ids have the plan's order, which time may not have.
  for (const [id, rows] of children) if (id.startsWith("plan:")) rows.sort();
  return { nodes, children };
}

function countPlans(
  tasks: readonly TaskView[],
): Map<string, { goal: string; done: number; count: number }> {
  const plans = new Map<string, { goal: string; done: number; count: number }>();
  for (const { planId, state } of tasks) {
    if (planId === null) continue;
    const plan = plans.get(planId) ?? { goal: "", done: 0, count: 0 };
    plans.set(planId, {
      goal: plan.goal,
      done: plan.done + (state === "done" ? 1 : 0),
      count: plan.count + 1,
    });
  }
  // A plan is named after the task that made it, and so its goal is that task's.
  for (const { taskId, goal } of tasks) {
    const plan = plans.get(taskId.replace(/^ROO#[A-Z]+_/, "ROO#PLAN_"));
    if (plan && taskId.startsWith("ROO#TASK_")) plan.goal = goal;
  }
  return plans;
}
