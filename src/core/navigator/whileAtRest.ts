import { UserError } from "../errors.js";
import type { HeldLock, Lock } from "../ports.js";
import { taskLock } from "./taskIds.js";

/** Does something to what tasks have left, while none of them works, here or in another process. */
export async function whileAtRest<T>(
  taskIds: readonly string[],
  lock: Lock,
  work: () => Promise<T>,
): Promise<T> {
  const held: HeldLock[] = [];
  try {
    for (const taskId of taskIds) {
      const one = await lock.tryHold(taskLock(taskId));
      if ("holder" in one) {
        throw new UserError(`Task ${taskId} still works. Stop it, or wait until it has ended.`);
      }
      held.push(one.held);
    }
    return await work();
  } finally {
    for (const one of held) await one.release();
  }
}
