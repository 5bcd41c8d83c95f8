import type { TaskId } from "../../core/ids.js";
import type { RowTree } from "../work/rowTree.js";
import { groupId } from "../work/workKinds.js";

/** The place to move a queued task to: before the task with this id, or, for `null`, to the end. */
export type QueuePlace = string | null;

/**
 * Returns the place for a task that is dropped on another: the other's position. The tasks in between
 * close up, so a task that comes from further up ends up behind the other. `undefined`: the task stays.
 *
 * @param target the id of the other task; `null`: the queue as a whole
 */
export function dropPlace(
  queue: readonly string[],
  taskId: TaskId,
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
  taskId: TaskId,
  step: "up" | "down" | "head",
): QueuePlace | undefined {
  const at = queue.indexOf(taskId);
  const to = { up: at - 1, down: at + 1, head: 0 }[step];
  const target = queue[to];
  return target === undefined ? undefined : dropPlace(queue, taskId, target);
}

/**
 * Returns the id of the queued task to drop on, which for a plan is its first; `null` for the queue as a whole;
 * `undefined` if nothing can be dropped there.
 */
export function dropTarget(
  row: string | undefined,
  tree: RowTree,
  queuedTask: (row: string) => TaskId | undefined,
): TaskId | null | undefined {
  const isWhole = row === "group:queued" || row === groupId("task");
  if (row === undefined || isWhole || tree.row(row) === undefined) return null;
  const below = row.startsWith("plan:") ? tree.getChildren(row) : [];
  return [row, ...below].flatMap((id) => queuedTask(id) ?? [])[0];
}
