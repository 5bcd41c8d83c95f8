import * as vscode from "vscode";
import { ContextKeys } from "./contextKeys.js";
import type { Status } from "./status.js";
import { StatusBar } from "./statusBar.js";
import { RowTree } from "../work/rowTree.js";
import { WorkView } from "../work/workView.js";
import { QueueDragAndDrop, type QueuePlace } from "../tasks/queueOrder.js";
import type { TaskList } from "../tasks/taskList.js";
import { taskRows } from "../tasks/taskRows.js";
import type { TaskId } from "../../core/ids.js";

/** Keeps the task view, its badge, the status bar and the context keys up to date. */
export class Surfaces implements vscode.Disposable {
  readonly tree = new RowTree();
  readonly dragAndDrop: QueueDragAndDrop;
  readonly statusBar = new StatusBar();
  private readonly view: WorkView<TaskList["overview"]>;
  private readonly keys = new ContextKeys();
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly tasks: TaskList,
    private readonly status: Status,
    moveInQueue: (taskId: TaskId, place: QueuePlace) => Promise<void>,
  ) {
    const { t } = vscode.l10n;
    this.dragAndDrop = new QueueDragAndDrop(this.tree, tasks, moveInQueue);
    this.view = new WorkView({
      id: "rooroo.tasks",
      list: tasks,
      tree: this.tree,
      redrawOn: [status.onDidChange],
      rows: (overview) => taskRows(overview, t),
      badge: () => {
        const { needsYou } = status.current;
        return { value: needsYou, tooltip: t("{0} awaiting your input", needsYou) };
      },
      dragAndDrop: this.dragAndDrop,
    });
    const show = (): void => {
      this.show();
    };
    this.subscriptions = [tasks.onDidChange(show), status.onDidChange(show)];
  }

  /** Shows what is already known, and the rest once it has been read. */
  open(): void {
    this.show();
    this.status.refresh();
    this.tasks.watch();
  }

  /** The id of the queued task that is selected in the tree. */
  get selectedTask(): string | undefined {
    return this.dragAndDrop.queuedTask(this.view.selected?.id);
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.view.dispose();
    this.statusBar.dispose();
  }

  private show(): void {
    this.statusBar.show(this.status.current, this.tasks.overview.tasks);
    void this.keys.show(this.status.current);
  }
}
