import type { QueueEntry } from "../documents/queue.js";

/**
 * Those of the queue that may start now: of each plan the foremost, and only if nothing of that plan
 * runs, so that order within a plan is kept; a task without a plan is a plan of its own.
 *
 * @param running ids of the tasks that run
 */
export function nextEntries(
  queue: readonly QueueEntry[],
  running: ReadonlySet<string>,
): QueueEntry[] {
  const planOf = (entry: QueueEntry): string => entry.planId ?? entry.taskId;
  const taken = new Set(queue.filter(({ taskId }) => running.has(taskId)).map(planOf));
  return queue.filter((entry) => {
    const plan = planOf(entry);
    if (taken.has(plan)) return false;
    taken.add(plan);
    return true;
  });
}
