import * as vscode from "vscode";

/** A row without anything but its name. */
export function treeRow(
  id: string,
  label: string,
  folding: "open" | "folded" | "leaf",
): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(
    label,
    { open: Expanded, folded: Collapsed, leaf: None }[folding],
  );
  item.id = id;
  return item;
}

/** @param color of the theme */
export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** What files say is text, whatever it looks like. */
export function plainMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text.slice(0, 1000));
}
