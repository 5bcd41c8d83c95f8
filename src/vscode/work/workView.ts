import * as vscode from "vscode";
import type { ViewId } from "../../contributions/views.js";
import { t } from "../text/words.js";
import { needsYouText, type Row } from "./row.js";
import { WorkRows, type WorkRowsOptions } from "./workRows.js";

interface WorkViewOptions<T> extends WorkRowsOptions<T> {
  readonly id: ViewId;
  readonly dragAndDrop: vscode.TreeDragAndDropController<string>;
}

/** A tree view of a list: its rows, and the number of things that need the user as its badge. */
export class WorkView<T> extends WorkRows<T> {
  readonly view: vscode.TreeView<string>;

  constructor({ id, dragAndDrop, ...options }: WorkViewOptions<T>) {
    super(options);
    this.view = vscode.window.createTreeView(id, {
      treeDataProvider: this.tree,
      dragAndDropController: dragAndDrop,
    });
  }

  override show(): void {
    super.show();
    const value = this.options.needsYou();
    const badge = { value, tooltip: needsYouText(value, t) };
    // The badge shows on the activity bar, whether or not the view does.
    this.view.badge = value === 0 ? undefined : badge;
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

  override dispose(): void {
    this.view.dispose();
    super.dispose();
  }
}
