import * as vscode from "vscode";
import type { Overview } from "../core/navigator/overview.js";
import { groupTasks, type TaskNode, type TaskTree } from "./taskGroups.js";
import { taskTreeItem } from "./taskTreeItem.js";

/** The "Tasks" view. Rows are named by their ids, so that VS Code redraws only those that changed. */
export class TasksTree implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private tree: TaskTree = { nodes: new Map(), children: new Map() };
  private readonly parents = new Map<string, string>();

  show(overview: Overview): void {
    const before = this.tree;
    this.tree = groupTasks(overview);
    this.parents.clear();
    for (const [parent, ids] of this.tree.children) {
      for (const id of ids) this.parents.set(id, parent);
    }
    const outdated = outdatedRows(before, this.tree);
    if (outdated.includes("")) this.changed.fire(undefined);
    else if (outdated.length > 0) this.changed.fire(outdated);
  }

  getChildren(id = ""): string[] {
    return [...(this.tree.children.get(id) ?? [])];
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.tree.nodes.get(id);
    return node ? taskTreeItem(node) : new vscode.TreeItem("");
  }

  getParent(id: string): string | undefined {
    const parent = this.parents.get(id);
    return parent === "" ? undefined : parent;
  }

  node(id: string): TaskNode | undefined {
    return this.tree.nodes.get(id);
  }

  dispose(): void {
    this.changed.dispose();
  }
}

/** Rows that look different or have other children; `""` stands for the roots. */
function outdatedRows(before: TaskTree, after: TaskTree): string[] {
  const rows = new Set<string>();
  for (const id of new Set([...before.children.keys(), ...after.children.keys()])) {
    const [old, now] = [before.children.get(id) ?? [], after.children.get(id) ?? []];
    if (old.join("\n") !== now.join("\n")) rows.add(id);
  }
  for (const [id, node] of after.nodes) {
    const old = before.nodes.get(id);
    if (old && JSON.stringify(old) !== JSON.stringify(node)) rows.add(id);
  }
  // A row that has just come, or has gone, is drawn with its parent.
  return [...rows].filter((id) => id === "" || (before.nodes.has(id) && after.nodes.has(id)));
}
