import * as vscode from "vscode";

/** All rows of a tree at one moment. */
export interface Rows<N> {
  /** The rows by id. An id stays the same as long as the row is about the same thing in the same place. */
  readonly nodes: ReadonlyMap<string, N>;
  /** The ids of the children by the parent's id; `""` is the parent of the roots. */
  readonly children: ReadonlyMap<string, readonly string[]>;
}

/** A tree whose rows are named by their ids, so that VS Code redraws only those that changed. */
export class RowTree<N> implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Rows<N> = { nodes: new Map(), children: new Map() };
  private readonly parents = new Map<string, string>();

  /** @param draw makes the tree item of a row's plain data */
  constructor(private readonly draw: (node: N) => vscode.TreeItem) {}

  show(rows: Rows<N>): void {
    const before = this.rows;
    this.rows = rows;
    this.parents.clear();
    for (const [parent, ids] of rows.children) {
      for (const id of ids) this.parents.set(id, parent);
    }
    const outdated = outdatedRows(before, rows);
    if (outdated.includes("")) this.changed.fire(undefined);
    else if (outdated.length > 0) this.changed.fire(outdated);
  }

  getChildren(id = ""): string[] {
    return [...(this.rows.children.get(id) ?? [])];
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.rows.nodes.get(id);
    return node === undefined ? new vscode.TreeItem("") : this.draw(node);
  }

  getParent(id: string): string | undefined {
    const parent = this.parents.get(id);
    return parent === "" ? undefined : parent;
  }

  node(id: string): N | undefined {
    return this.rows.nodes.get(id);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Returns the ids of rows that look different or have other children; `""` stands for the roots. */
function outdatedRows<N>(before: Rows<N>, after: Rows<N>): string[] {
  const rows = new Set<string>();
  for (const id of new Set([...before.children.keys(), ...after.children.keys()])) {
    const [old, now] = [before.children.get(id) ?? [], after.children.get(id) ?? []];
    if (old.join("\n") !== now.join("\n")) rows.add(id);
  }
  for (const [id, node] of after.nodes) {
    const old = before.nodes.get(id);
    if (old !== undefined && JSON.stringify(old) !== JSON.stringify(node)) rows.add(id);
  }
  // A new or removed row is redrawn with its parent.
  return [...rows].filter((id) => id === "" || (before.nodes.has(id) && after.nodes.has(id)));
}
