import type { TaskView } from "../../core/navigator/overview.js";

/** Where a queued task is to go: before the task with this id, or, for `null`, to the end. */
export type QueuePlace = string | null;

/** Returns the ids of the queued tasks, in queue order. */
export function queuedTasks(tasks: readonly TaskView[]): string[] {
  return tasks.filter(({ state }) => state === "queued").map(({ taskId }) => taskId);
}

/**
 * Returns the place for a task that is dropped on another: the other's position. The tasks in between
 * close up, so a task that comes from further up ends up behind the other. `undefined`: the task stays.
 *
 * @param target the id of the other task; `null`: the queue as a whole
 */
export function dropPlace(
  queue: readonly string[],
  taskId: string,
  target: string | null,
): QueuePlace | undefined {
  const from = queue.indexOf(taskId);
  const to = target === null ? queue.length - 1 : queue.indexOf(target);
  if (from < 0 || to < 0 || from === to) return undefined;
  return (to < from ? queue[to] : queue[to + 1]) ?? null;
}

/** Returns the place for a task that moves one up, one down or to the head; `undefined`: it cannot move. */
export function stepPlace(
  queue: readonly string[],
  taskId: string,
  step: "up" | "down" | "head",
): QueuePlace | undefined {
  const at = queue.indexOf(taskId);
  const to = { up: at - 1, down: at + 1, head: 0 }[step];
  const target = queue[to];
  return target === undefined ? undefined : dropPlace(queue, taskId, target);
}
