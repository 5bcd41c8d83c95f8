import type { TaskView } from "../core/navigator/overview.js";

/** Where a queued task is to go: before this task, or, for `null`, to the end. */
export type QueuePlace = string | null;

/** Ids of the tasks that wait in the queue, in their order. */
export function queuedTasks(tasks: readonly TaskView[]): string[] {
  return tasks.filter(({ state }) => state === "queued").map(({ taskId }) => taskId);
}

/**
 * The place of a task that is dropped on another: where that one is. The others close up, so a task
 * that comes from further up goes behind it. `undefined`: it stays.
 *
 * @param target `null`: whatever stands for the queue as a whole
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

/** The place of a task that goes one up, one down, or to the head. `undefined`: it is there. */
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
