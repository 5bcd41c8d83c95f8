import * as vscode from "vscode";
import type { TaskView } from "../../core/navigator/overview.js";
import { groupId } from "../work/row.js";
import type { RowTree } from "../work/rowTree.js";
import type { TaskList } from "./taskList.js";
import type { TaskId } from "../../core/ids.js";

/** VS Code's MIME type for rows dragged from the view "rooroo.tasks". */
const mimeType = "application/vnd.code.tree.rooroo.tasks";

/** The place to move a queued task to: before the task with this id, or, for `null`, to the end. */
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
function dropPlace(
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

/** Lets the user reorder queued tasks by mouse; the commands do the same by keyboard. */
export class QueueDragAndDrop implements vscode.TreeDragAndDropController<string> {
  readonly dragMimeTypes = [mimeType];
  readonly dropMimeTypes = [mimeType];

  constructor(
    private readonly tree: RowTree,
    private readonly tasks: TaskList,
    private readonly move: (taskId: TaskId, place: QueuePlace) => Promise<void>,
  ) {}

  handleDrag(rows: readonly string[], data: vscode.DataTransfer): void {
    const taskId = this.queuedTask(rows[0]);
    if (taskId !== undefined) data.set(mimeType, new vscode.DataTransferItem(taskId));
  }

  async handleDrop(row: string | undefined, data: vscode.DataTransfer): Promise<void> {
    const taskId: unknown = data.get(mimeType)?.value;
    if (typeof taskId !== "string") return;
    const target = this.target(row);
    if (target === undefined) return;
    const place = dropPlace(this.queue, taskId, target);
    if (place !== undefined) await this.move(taskId, place);
  }

  /** Returns the id of a row's task if that is queued. */
  queuedTask(row: string | undefined): string | undefined {
    const taskId = this.tree.row(row)?.of ?? "";
    return this.queue.includes(taskId) ? taskId : undefined;
  }

  private get queue(): readonly string[] {
    return queuedTasks(this.tasks.overview.tasks);
  }

  /**
   * Returns the id of the queued task to drop on, which for a plan is its first; `null` for the queue as
   * a whole; `undefined` if nothing can be dropped there.
   */
  private target(row: string | undefined): string | null | undefined {
    const isWhole = row === "group:queued" || row === groupId("tasks");
    if (this.tree.row(row) === undefined || isWhole) return null;
    const below = row?.startsWith("plan:") === true ? this.tree.getChildren(row) : [];
    return [row, ...below].flatMap((id) => this.queuedTask(id) ?? [])[0];
  }
}
