import { UserError } from "../../errors.js";
import type { TaskId } from "../../ids.js";
import type { HeldLock, Lock } from "../../ports/locks.js";
import { taskLock } from "./taskIds.js";

/**
 * Runs `work` on the files of tasks while none of the tasks runs, here or in another process. Throws a
 * {@link UserError} when one of them runs.
 */
export async function whileNotRunning<T>(
  taskIds: readonly TaskId[],
  lock: Lock,
  work: () => Promise<T>,
): Promise<T> {
  const held: HeldLock[] = [];
  try {
    for (const taskId of taskIds) {
      const one = await lock.tryHold(taskLock(taskId));
      if ("holder" in one) {
        throw new UserError(
          "taskStillRunning",
          "Task {taskId} is still running. Stop it, or wait until it has ended.",
          { taskId },
        );
      }
      held.push(one.held);
    }
    return await work();
  } finally {
    for (const one of held) await one.release();
  }
}
