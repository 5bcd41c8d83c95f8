import * as vscode from "vscode";
import type { WorkGroup } from "./groupedRows.js";
import type { Row, Rows } from "./row.js";
import { RowTree } from "./rowTree.js";
import type { WatchedList } from "./watchedList.js";

interface WorkViewOptions<T> {
  /** The view's id in the manifest. */
  readonly id: string;
  readonly list: WatchedList<T>;
  readonly tree?: RowTree;
  /** Further events after which rows or badge may be different. */
  readonly redrawOn?: readonly vscode.Event<unknown>[];
  readonly rows: (model: T) => Rows;
  /** Returns how many things need the user, and the words for that. */
  readonly badge: (model: T) => vscode.ViewBadge;
  /** Returns how many things run. */
  readonly running: (model: T) => number;
  /** Returns whether the view is shown, and not only its rows in another view. Default: always. */
  readonly isSeparate?: () => boolean;
  readonly dragAndDrop?: vscode.TreeDragAndDropController<string>;
}

/** A tree view of a list: its rows, and the number of things that need the user as its badge. */
export class WorkView<T> implements vscode.Disposable {
  readonly tree: RowTree;
  private readonly view: vscode.TreeView<string>;
  private readonly subscriptions: vscode.Disposable[];
  private readonly drawn = new vscode.EventEmitter<void>();
  /** Fires when the rows may have changed. */
  readonly onDidDraw = this.drawn.event;

  constructor(private readonly options: WorkViewOptions<T>) {
    const { id, list, tree = new RowTree(), redrawOn = [], dragAndDrop } = options;
    this.tree = tree;
    this.view = vscode.window.createTreeView(id, {
      treeDataProvider: tree,
      ...(dragAndDrop === undefined ? {} : { dragAndDropController: dragAndDrop }),
    });
    this.subscriptions = [list.onDidChange, ...redrawOn].map((event) =>
      event(() => {
        this.show();
      }),
    );
    this.subscriptions.push(
      vscode.workspace.onDidGrantWorkspaceTrust(() => {
        list.watch();
      }),
    );
  }

  show(): void {
    const { list, rows, badge, isSeparate = () => true } = this.options;
    this.tree.show(rows(list.overview));
    const shown = badge(list.overview);
    // The badge shows on the activity bar, whether or not the view does.
    this.view.badge = shown.value === 0 || !isSeparate() ? undefined : shown;
    this.drawn.fire();
  }

  /** The rows as one of several groups of a view, and how much needs the user or runs. */
  get group(): Omit<WorkGroup, "kind"> {
    const { list, badge, running } = this.options;
    const { value: needsYou } = badge(list.overview);
    return { rows: this.tree.shown, needsYou, running: running(list.overview) };
  }

  /** The row that is selected, if any. */
  get selected(): Row | undefined {
    return this.tree.row(this.view.selection[0]);
  }

  /** Reveals and selects a row, if there is one with this id. */
  async reveal(id: string): Promise<void> {
    if (this.tree.row(id) === undefined) return;
    await this.view.reveal(id, { select: true, focus: false, expand: true });
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.drawn.dispose();
    this.view.dispose();
    this.tree.dispose();
  }
}
