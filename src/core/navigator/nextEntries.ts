import type { QueueEntry } from "../documents/queue.js";

/**
 * Returns the queue entries that may start now: the first of each plan, unless a task of that plan runs,
 * so that the order within a plan is kept. A task without a plan is a plan of its own.
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
