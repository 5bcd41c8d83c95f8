import type { TaskId, LongWork } from "../../ids.js";
import type { Item } from "./items.js";
import { waitsForUser } from "./waitsForUser.js";

/**
 * Returns the id of the item that says most about a task now: what waits for the user, else how the task
 * ended, else what it did last. `undefined` if there is no item of the task.
 */
export function placeOf(items: readonly Item[], taskId: TaskId): string | undefined {
  const own = items.filter((one) => "taskId" in one && one.taskId === taskId);
  const isRunning = own.some((one) => one.kind === "task" && one.running);
  const report = isRunning ? undefined : own.findLast((one) => one.kind === "report");
  return (own.findLast(waitsForUser) ?? report ?? own.at(-1))?.id;
}

/** Does the same as {@link placeOf} for a whole job or run. */
export function placeOfWork(items: readonly Item[], { kind, name }: LongWork): string | undefined {
  const own = items.filter((item) =>
    item.kind === "proposal"
      ? kind === "run" && item.runId === name
      : item.work?.kind === kind && item.work.name === name,
  );
  return (own.findLast(waitsForUser) ?? own.at(-1))?.id;
}
