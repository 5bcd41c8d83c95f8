import * as vscode from "vscode";
import type { RowTree } from "../work/rowTree.js";
import type { TaskNode } from "./taskGroups.js";
import { dropPlace, type QueuePlace, queuedTasks } from "./queueMoves.js";
import type { TaskList } from "./taskList.js";

/** VS Code's MIME type for rows dragged from the view "rooroo.tasks". */
const mimeType = "application/vnd.code.tree.rooroo.tasks";

/** Lets the user reorder queued tasks by mouse; the commands do the same by keyboard. */
export class QueueDragAndDrop implements vscode.TreeDragAndDropController<string> {
  readonly dragMimeTypes = [mimeType];
  readonly dropMimeTypes = [mimeType];

  constructor(
    private readonly tree: RowTree<TaskNode>,
    private readonly tasks: TaskList,
    private readonly move: (taskId: string, place: QueuePlace) => Promise<void>,
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
    const queue = queuedTasks(this.tasks.overview.tasks);
    const place = dropPlace(queue, taskId, target);
    if (place !== undefined) await this.move(taskId, place);
  }

  /**
   * Returns the id of the queued task to drop on; `null` for the queue as a whole; `undefined` if
   * nothing can be dropped there.
   */
  private target(row: string | undefined): string | null | undefined {
    const node = row === undefined ? undefined : this.tree.node(row);
    if (node === undefined) return null;
    switch (node.kind) {
      case "task":
        return this.queuedTask(row);
      case "plan":
        return this.tree.getChildren(node.id).flatMap((id) => this.queuedTask(id) ?? [])[0];
      case "group":
        return node.state === "queued" ? null : undefined;
      case "problem":
        return undefined;
    }
  }

  private queuedTask(row: string | undefined): string | undefined {
    const node = row === undefined ? undefined : this.tree.node(row);
    return node?.kind === "task" && node.task.state === "queued" ? node.task.taskId : undefined;
  }
}
