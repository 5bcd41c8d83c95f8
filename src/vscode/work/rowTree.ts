import * as vscode from "vscode";
import { readableWriting } from "../../core/text/readableWriting.js";
import { withoutMarks } from "../../core/text/withoutMarks.js";
import { outdatedRows } from "./outdatedRows.js";
import { idInList, type Row, type Rows, type TooltipBlock } from "./row.js";

/** The most characters of a text block in a tooltip. */
const mostTooltipText = 1000;

/** A tree whose rows are named by their ids, so that VS Code redraws only those that changed. */
export class RowTree implements vscode.TreeDataProvider<string>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Rows = { byId: new Map(), children: new Map() };
  private readonly parents = new Map<string, string>();

  show(rows: Rows): void {
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
    const row = this.row(id);
    return row === undefined ? new vscode.TreeItem("") : treeItem(row);
  }

  getParent(id: string): string | undefined {
    const parent = this.parents.get(id);
    return parent === "" ? undefined : parent;
  }

  /** The rows that are shown. */
  get shown(): Rows {
    return this.rows;
  }

  /** Returns the row with this id, also by its id apart from its list; `undefined` if it is the id of none. */
  row(id: unknown): Row | undefined {
    if (typeof id !== "string") return undefined;
    return this.rows.byId.get(id) ?? this.rows.byId.get(idInList(id));
  }

  dispose(): void {
    this.changed.dispose();
  }
}

function treeItem(row: Row): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const folding = { open: Expanded, folded: Collapsed, leaf: None }[row.folding ?? "leaf"];
  const item = new vscode.TreeItem(readableWriting(row.label), folding);
  item.id = row.id;
  if (row.description !== undefined) item.description = readableWriting(row.description);
  if (row.icon !== undefined) {
    const { name, color } = row.icon;
    const themeColor = color === undefined ? undefined : new vscode.ThemeColor(color);
    item.iconPath = new vscode.ThemeIcon(name, themeColor);
  }
  if (row.tooltip !== undefined) item.tooltip = tooltip(row.tooltip);
  if (row.spoken !== undefined)
    item.accessibilityInformation = { label: readableWriting(row.spoken) };
  if (row.context !== undefined) item.contextValue = row.context;
  if (row.command !== undefined) {
    const { command, argument = row.id } = row;
    item.command = { command, title: "", arguments: [argument] };
  }
  return item;
}

function tooltip(blocks: readonly TooltipBlock[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  for (const [index, block] of blocks.entries()) {
    if (index > 0) text.appendMarkdown("\n\n");
    if (typeof block === "string") text.appendText(plain(block));
    else if ("code" in block) text.appendCodeblock(block.code, block.language ?? "text");
    else text.appendMarkdown("---\n\n").appendText(plain(block.below));
  }
  return text;
}

function plain(text: string): string {
  return readableWriting(withoutMarks(text).slice(0, mostTooltipText));
}
