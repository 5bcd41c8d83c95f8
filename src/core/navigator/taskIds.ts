import type { Clock, Ids } from "../ports.js";

/** R-ROO-24: `ROO#TASK_YYYYMMDDHHMMSS_HEX`, in UTC. */
export function newTaskId(kind: "TASK" | "IDEA" | "AGENT", clock: Clock, ids: Ids): string {
  const stamp = clock.now().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  return `ROO#${kind}_${stamp}_${ids.hex(6).toUpperCase()}`;
}

/**
 * The plan of a planner's task and that plan's tasks have ids that follow from the planner's own, so
 * that installing a plan twice after a crash finds the same ones.
 */
export function planIdOf(plannerTaskId: string): string {
  return plannerTaskId.replace(/^ROO#[A-Z]+_/, "ROO#PLAN_");
}

/** @param number 1-based, in plan order */
export function subTaskId(plannerTaskId: string, number: number): string {
  const short = plannerTaskId.replace(/^ROO#[A-Z]+_/, "");
  return `ROO#SUB_${short}_S${String(number).padStart(3, "0")}`;
}

/** The name of the lock that whoever runs the task holds. */
export function taskLock(taskId: string): string {
  return `task-${taskId.replaceAll(/[^A-Za-z0-9_-]/g, "-")}`;
}
