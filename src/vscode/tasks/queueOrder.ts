import * as vscode from "vscode";
import type { TaskId } from "../../core/ids.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { RowTree } from "../work/rowTree.js";
import type { QueuePlace } from "./queuePlaces.js";
import type { TaskList } from "./taskList.js";

/** VS Code's MIME type for rows dragged from the view "rooroo.tasks". */
const mimeType = "application/vnd.code.tree.rooroo.tasks";

/** Returns the ids of the queued tasks, in queue order. */
export function queuedTasks(tasks: readonly TaskView[]): string[] {
  return tasks.filter(({ state }) => state === "queued").map(({ taskId }) => taskId);
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
    const { dropPlace, dropTarget } = await import("./queuePlaces.js");
    const target = dropTarget(row, this.tree, (id) => this.queuedTask(id));
    const place = target === undefined ? undefined : dropPlace(this.queue, taskId, target);
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
}
