import * as vscode from "vscode";
import type { ListedProblem } from "../workspace/documentProblems.js";

/** Creates a row with nothing but its label. */
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

/** @param color the id of a theme color */
export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Returns text from a file as Markdown that shows it literally, whatever syntax it contains. */
export function plainMarkdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text.slice(0, 1000));
}

/** Returns the command for a click on a row, with the row's id as its argument. */
export function click(command: string, id: string): vscode.Command {
  return { command, title: "", arguments: [id] };
}

/**
 * Returns a row for a line of a file that breaks a rule.
 *
 * @param command the id of the command that a click runs
 */
export function problemRow(id: string, problem: ListedProblem, command: string): vscode.TreeItem {
  const { path, line, rule, message } = problem;
  const item = treeRow(id, message, "leaf");
  item.description = vscode.l10n.t("line {0}", line);
  item.iconPath = themeIcon("warning", "list.warningForeground");
  item.tooltip = plainMarkdown(message)
    .appendMarkdown("\n\n")
    .appendText(`${rule} · ${path}:${line}`);
  item.accessibilityInformation = {
    label: vscode.l10n.t("Problem in line {0}: {1}", line, message),
  };
  item.command = click(command, id);
  return item;
}
