import * as vscode from "vscode";
import { ContextKeys } from "../contextKeys.js";
import { QueueDragAndDrop } from "./queueDragAndDrop.js";
import type { QueuePlace } from "./queueMoves.js";
import { RowTree } from "../work/rowTree.js";
import type { Status } from "../status.js";
import { StatusBar } from "../statusBar.js";
import { groupTasks } from "./taskGroups.js";
import type { TaskList } from "./taskList.js";
import { taskTreeItem } from "./taskTreeItem.js";

/** Keeps the task tree, badge, status bar and context keys up to date with the tasks and the status. */
export class Surfaces implements vscode.Disposable {
  readonly tree = new RowTree(taskTreeItem);
  readonly dragAndDrop: QueueDragAndDrop;
  private readonly view: vscode.TreeView<string>;
  readonly statusBar = new StatusBar();
  private readonly keys = new ContextKeys();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly tasks: TaskList,
    private readonly status: Status,
    moveInQueue: (taskId: string, place: QueuePlace) => Promise<void>,
  ) {
    this.dragAndDrop = new QueueDragAndDrop(this.tree, tasks, moveInQueue);
    this.view = vscode.window.createTreeView("rooroo.tasks", {
      treeDataProvider: this.tree,
      dragAndDropController: this.dragAndDrop,
    });
    this.subscriptions = [
      tasks.onDidChange((overview) => {
        this.tree.show(groupTasks(overview));
        this.showStatus();
      }),
      status.onDidChange(() => {
        this.showStatus();
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        this.tasks.watch();
      }),
    ];
  }

  /** Shows what is already known, and the rest once it has been read. */
  open(): void {
    this.showStatus();
    this.status.refresh();
    this.tasks.watch();
  }

  /** The id of the queued task that is selected in the tree. */
  get selectedTask(): string | undefined {
    const [row] = this.view.selection;
    const node = row === undefined ? undefined : this.tree.node(row);
    return node?.kind === "task" && node.task.state === "queued" ? node.task.taskId : undefined;
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.view.dispose();
    this.statusBar.dispose();
    this.tree.dispose();
  }

  private showStatus(): void {
    const status = this.status.current;
    this.statusBar.show(status, this.tasks.overview.tasks);
    void this.keys.show(status);
    const { needsYou } = status;
    // The view's badge shows on the activity bar, whether or not the view does.
    this.view.badge =
      needsYou === 0
        ? undefined
        : { value: needsYou, tooltip: vscode.l10n.t("{0} need you", needsYou) };
  }
}
