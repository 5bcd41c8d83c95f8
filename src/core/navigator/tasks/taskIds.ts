import type { TaskId } from "../../ids.js";
import type { Clock, Ids } from "../../ports/system.js";

/** R-ROO-24: Returns a new id, `ROO#TASK_YYYYMMDDHHMMSS_HEX`, with the time in UTC. A request has one before its task. */
export function newTaskId(
  kind: "TASK" | "IDEA" | "AGENT" | "REQUEST",
  clock: Clock,
  ids: Ids,
): string {
  const stamp = clock.now().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `ROO#${kind}_${stamp}_${ids.hex(6).toUpperCase()}`;
}

/**
 * Returns the id of a planner's plan. Ids of a plan and of its tasks derive from the planner's task, so
 * that installing a plan twice after a crash finds the same ones.
 */
export function planIdOf(plannerTaskId: string): string {
  return `ROO#PLAN_${withoutKind(plannerTaskId)}`;
}

/** Returns an id without what says its kind; one from elsewhere may have none. */
function withoutKind(id: string): string {
  return id.replace(/^ROO#(?:[A-Z]+_)?/, "");
}

/** Returns whether a task, by its id, is its plan's planner, one of the plan's tasks, or a plan of itself. */
export function isTaskOfPlan(taskId: TaskId, planId: string): boolean {
  const own = withoutKind(taskId).replace(/(?<=.)_S\d+$/, "");
  return !taskId.startsWith("ROO#LAND_") && `ROO#PLAN_${own}` === planId;
}

/** Returns the path of the file that has a plan's overview. */
export function planPathOf(planId: string): string {
  return `.rooroo/plans/${planId}.md`;
}

/** @param number 1-based, in plan order */
export function subTaskId(plannerTaskId: string, number: number): string {
  return `ROO#SUB_${withoutKind(plannerTaskId)}_S${String(number).padStart(3, "0")}`;
}

/** Returns the ids of all tasks that a plan has or had, those that the user added or removed among them. */
export async function planTaskIds(
  plannerTaskId: string,
  store: { hasRecord(taskId: TaskId): Promise<boolean> },
): Promise<TaskId[]> {
  const ids: TaskId[] = [];
  for (;;) {
    const next = subTaskId(plannerTaskId, ids.length + 1);
    if (!(await store.hasRecord(next))) return ids;
    ids.push(next);
  }
}

/**
 * Returns whether a folder of `.rooroo/tasks` is a task's. Sessions of jobs, runs and plain agents have folders there,
 * too; their own documents say what becomes of them.
 */
export function isTaskFolder(name: string): boolean {
  return !/^ROO#(JOB|RUN|AGENT)_/.test(name);
}

/** Returns whether an id is that of a session of a job or run. */
export function isUnitId(id: TaskId): boolean {
  return /^ROO#(JOB|RUN)_[A-Za-z0-9_-]{1,100}$/.test(id);
}

/** Returns the name of the lock that the process that runs the task holds. */
export function taskLock(taskId: TaskId): string {
  const plain = taskId.replaceAll(/[^A-Za-z0-9_-]/gu, (one) =>
    /[!-~]/.test(one) ? "-" : `-${one.codePointAt(0)?.toString(16)}-`,
  );
  return `task-${plain}`;
}
