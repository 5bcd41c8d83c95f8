import * as vscode from "vscode";
import { builtInModes } from "../core/experts/builtInModes.js";
import type { TaskState, TaskView } from "../core/navigator/overview.js";
import { shorten } from "./shorten.js";
import type { TaskNode } from "./taskGroups.js";

interface Look {
  readonly label: string;
  readonly icon: string;
  readonly color?: string;
  readonly folded?: boolean;
}

function lookOf(state: TaskState): Look {
  const { t } = vscode.l10n;
  switch (state) {
    case "needsYou":
      return { label: t("Needs You"), icon: "bell-dot", color: "list.warningForeground" };
    case "running":
      return { label: t("Running"), icon: "loading~spin", color: "charts.blue" };
    case "queued":
      return { label: t("Queued"), icon: "circle-outline" };
    case "interrupted":
      return { label: t("Interrupted"), icon: "debug-pause", color: "charts.orange" };
    case "done":
      return { label: t("Done"), icon: "pass", color: "testing.iconPassed", folded: true };
    case "failed":
      return { label: t("Failed"), icon: "error", color: "testing.iconFailed" };
  }
}

/** How a row looks, sounds, and what a click on it does. */
export function taskTreeItem(node: TaskNode): vscode.TreeItem {
  switch (node.kind) {
    case "group":
      return groupItem(node);
    case "plan":
      return planItem(node);
    case "task":
      return taskItem(node);
    case "problem":
      return problemItem(node);
  }
}

function groupItem(node: Extract<TaskNode, { kind: "group" }>): vscode.TreeItem {
  const { label, folded } = lookOf(node.state);
  const item = rowFor(node, label, folded ? "folded" : "open");
  item.description = String(node.count);
  item.contextValue = "group";
  item.accessibilityInformation = { label: vscode.l10n.t("{0}, {1} tasks", label, node.count) };
  return item;
}

function planItem(node: Extract<TaskNode, { kind: "plan" }>): vscode.TreeItem {
  const goal = node.goal === "" ? vscode.l10n.t("Plan") : shorten(node.goal, 60);
  const item = rowFor(node, goal, "open");
  item.description = vscode.l10n.t("{0} of {1} done", node.done, node.count);
  item.iconPath = new vscode.ThemeIcon("list-tree");
  item.contextValue = "plan";
  item.tooltip = markdown(node.goal);
  item.accessibilityInformation = {
    label: vscode.l10n.t("Plan: {0}, {1}", goal, item.description),
  };
  return item;
}

function taskItem({ id, task }: Extract<TaskNode, { kind: "task" }>): vscode.TreeItem {
  const look = lookOf(task.state);
  const mode = builtInModes.get(task.mode)?.name ?? task.mode;
  const item = rowFor({ id }, shorten(task.goal, 60) || task.taskId, "leaf");
  const waits = waitsFor(task);
  item.description = waits?.shown ?? mode;
  item.iconPath = new vscode.ThemeIcon(
    look.icon,
    look.color === undefined ? undefined : new vscode.ThemeColor(look.color),
  );
  item.contextValue = contextValue(task);
  item.tooltip = taskTooltip(task, look.label, mode);
  item.accessibilityInformation = {
    label: [look.label, shorten(task.goal, 200), mode, ...(waits ? [waits.spoken] : [])].join(", "),
  };
  const command = clickOn(task);
  if (command) item.command = { command, title: "", arguments: [task.taskId] };
  return item;
}

function problemItem({ problem, id }: Extract<TaskNode, { kind: "problem" }>): vscode.TreeItem {
  const label = vscode.l10n.t("Line {0} of the queue cannot be used", problem.line);
  const item = rowFor({ id }, label, "leaf");
  item.description = problem.reason;
  item.iconPath = new vscode.ThemeIcon("warning", new vscode.ThemeColor("list.warningForeground"));
  item.contextValue = "problem";
  item.tooltip = markdown(problem.reason).appendCodeblock(shorten(problem.text, 400), "json");
  item.accessibilityInformation = { label: `${label}: ${problem.reason}` };
  item.command = { command: "rooroo.openQueue", title: "", arguments: [problem.line] };
  return item;
}

function rowFor(
  { id }: { readonly id: string },
  label: string,
  folding: "open" | "folded" | "leaf",
): vscode.TreeItem {
  const { Expanded, Collapsed, None } = vscode.TreeItemCollapsibleState;
  const state = { open: Expanded, folded: Collapsed, leaf: None }[folding];
  const item = new vscode.TreeItem(label, state);
  item.id = id;
  return item;
}

function waitsFor(task: TaskView): { shown: string; spoken: string } | undefined {
  if (task.state !== "needsYou") return undefined;
  if (task.question === undefined) {
    return { shown: vscode.l10n.t("approval"), spoken: vscode.l10n.t("waits for your approval") };
  }
  const question = shorten(task.question.text, 60);
  return { shown: question, spoken: question };
}

/** Words that the manifest's menus look for. */
function contextValue(task: TaskView): string {
  const words = ["task", task.state];
  if (task.question) words.push("answerable");
  if (task.state === "interrupted" || task.state === "failed") words.push("resumable");
  if (task.contextPath !== undefined) words.push("context");
  if (task.reportPath !== undefined) words.push("report");
  return words.join(" ");
}

function clickOn(task: TaskView): string | undefined {
  if (task.state === "needsYou") return "rooroo.focusChat";
  if (task.reportPath !== undefined) return "rooroo.openReport";
  return task.contextPath === undefined ? undefined : "rooroo.openContext";
}

function taskTooltip(task: TaskView, state: string, mode: string): vscode.MarkdownString {
  const text = markdown(task.goal).appendMarkdown("\n\n");
  text.appendText(`${state} · ${mode}`);
  const words = task.question?.text ?? task.message;
  if (words !== undefined && words !== "") {
    text.appendMarkdown("\n\n---\n\n").appendText(words.slice(0, 1000));
  }
  return text.appendMarkdown("\n\n").appendCodeblock(task.taskId, "text");
}

/** What files say is text, whatever it looks like. */
function markdown(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text.slice(0, 1000));
}
