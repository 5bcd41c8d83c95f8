import * as vscode from "vscode";
import type { WorkGroup } from "./groupedRows.js";
import type { Rows } from "./row.js";
import { RowTree } from "./rowTree.js";
import type { WatchedList } from "./watchedList.js";

export interface WorkRowsOptions<T> {
  readonly list: WatchedList<T>;
  readonly tree?: RowTree;
  /** Further events after which the rows may be different. */
  readonly redrawOn?: readonly vscode.Event<unknown>[];
  /** Returns whether there is something to draw. Until then, what draws the rows is not loaded. */
  readonly hasRows: (model: T) => boolean;
  /** Loads what draws the rows. */
  readonly load: () => Promise<(model: T) => Rows>;
  /** Returns how many things need the user. */
  readonly needsYou: () => number;
  /** Returns how many things run. */
  readonly running: (model: T) => number;
}

/** The rows of a list, drawn again when it changes. */
export class WorkRows<T> implements vscode.Disposable {
  readonly tree: RowTree;
  private readonly subscriptions: vscode.Disposable[];
  private draw: ((model: T) => Rows) | undefined;
  private loading: Promise<void> | undefined;
  private readonly drawn = new vscode.EventEmitter<void>();
  /** Fires when the rows may have changed. */
  readonly onDidDraw = this.drawn.event;

  constructor(protected readonly options: WorkRowsOptions<T>) {
    const { list, tree = new RowTree(), redrawOn = [] } = options;
    this.tree = tree;
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
    const { list, hasRows } = this.options;
    if (this.draw === undefined && hasRows(list.overview)) this.loading ??= this.load();
    this.tree.show(this.draw?.(list.overview) ?? this.tree.shown);
    this.drawn.fire();
  }

  /** The rows as one of several groups of a view, and how much needs the user or runs. */
  get group(): Omit<WorkGroup, "kind"> {
    const { list, needsYou, running } = this.options;
    return { rows: this.tree.shown, needsYou: needsYou(), running: running(list.overview) };
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.drawn.dispose();
    this.tree.dispose();
  }

  private async load(): Promise<void> {
    this.draw = await this.options.load();
    this.show();
  }
}
