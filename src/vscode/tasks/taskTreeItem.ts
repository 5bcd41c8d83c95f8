import * as vscode from "vscode";
import { modeName } from "../../core/experts/modeName.js";
import type { PlanState, TaskState, TaskView } from "../../core/navigator/overview.js";
import { effortText } from "../work/effortText.js";
import { shorten } from "../shorten.js";
import type { TaskNode } from "./taskGroups.js";
import { plainMarkdown, themeIcon, treeRow } from "../work/treeRow.js";

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
    case "foreign":
      return { label: t("From Elsewhere"), icon: "cloud-download", folded: true };
  }
}

/** Returns the tree item of a row: its look, its accessible label, and what a click on it does. */
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
  const item = treeRow(node.id, label, folded ? "folded" : "open");
  item.description = String(node.count);
  item.contextValue = "group";
  item.accessibilityInformation = { label: vscode.l10n.t("{0}, {1} tasks", label, node.count) };
  return item;
}

function planItem({ id, plan }: Extract<TaskNode, { kind: "plan" }>): vscode.TreeItem {
  const { t } = vscode.l10n;
  // Short, to leave room for the progress beside it.
  const goal = shorten(plan.goal, 32) || t("Plan");
  const item = treeRow(id, goal, plan.state === "done" ? "folded" : "open");
  const state = planStateName(plan.state);
  const done = t("{0} of {1} done", plan.done, plan.tasks.length);
  const effort = effortText(plan.effort);
  const parts = effort === "" ? [done] : [done, effort];
  const short = `${plan.done}/${plan.tasks.length}`;
  item.description = effort === "" ? short : `${short} · ${effort}`;
  const { color } = lookOf(planLooks[plan.state]);
  item.iconPath = themeIcon("list-tree", color);
  item.contextValue = plan.hasChanges ? "plan changes" : "plan";
  const { calls } = plan.effort;
  const tooltip = plainMarkdown(plan.goal).appendMarkdown("\n\n");
  tooltip.appendText([state, ...parts].join(" · "));
  if (calls > 0) tooltip.appendText(t(" in {0} model calls", calls));
  item.tooltip = tooltip.appendMarkdown("\n\n").appendCodeblock(plan.planId, "text");
  item.accessibilityInformation = {
    label: t("Plan: {0}, {1}", shorten(plan.goal, 200), [...parts, state].join(", ")),
  };
  return item;
}

/** The task state whose look a plan's state shares. */
const planLooks: Readonly<Record<PlanState, TaskState>> = {
  running: "running",
  waiting: "needsYou",
  halted: "interrupted",
  queued: "queued",
  done: "done",
};

function planStateName(state: PlanState): string {
  return state === "halted" ? vscode.l10n.t("Halted") : lookOf(planLooks[state]).label;
}

function taskItem(node: Extract<TaskNode, { kind: "task" }>): vscode.TreeItem {
  const { id, task } = node;
  const look = lookOf(task.state);
  const mode = modeName(task.mode);
  const item = treeRow(id, shorten(task.goal, 60) || task.taskId, "leaf");
  const waits = waitsFor(task);
  item.description = waits?.shown ?? mode;
  item.iconPath = themeIcon(look.icon, look.color);
  item.contextValue = contextValue(node);
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
  const item = treeRow(id, label, "leaf");
  item.description = problem.reason;
  item.iconPath = themeIcon("warning", "list.warningForeground");
  item.contextValue = "problem";
  item.tooltip = plainMarkdown(problem.reason).appendCodeblock(shorten(problem.text, 400), "json");
  item.accessibilityInformation = { label: `${label}: ${problem.reason}` };
  item.command = { command: "rooroo.openQueue", title: "", arguments: [problem.line] };
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

/** Returns the words that the manifest's menus match. */
function contextValue(node: Extract<TaskNode, { kind: "task" }>): string {
  const { task, before, behind } = node;
  const words = ["task", task.state];
  if (before) words.push("hasBefore");
  if (behind) words.push("hasBehind");
  if (task.question) words.push("answerable");
  if (task.state === "interrupted" || task.state === "failed") words.push("resumable");
  if (task.state === "foreign") words.push("adoptable");
  if (task.contextPath !== undefined) words.push("context");
  if (task.reportPath !== undefined) words.push("report");
  if (task.hasChanges) words.push("changes");
  return words.join(" ");
}

function clickOn(task: TaskView): string | undefined {
  if (task.state === "needsYou") return "rooroo.focusChat";
  if (task.reportPath !== undefined) return "rooroo.openReport";
  return task.contextPath === undefined ? undefined : "rooroo.openContext";
}

function taskTooltip(task: TaskView, state: string, mode: string): vscode.MarkdownString {
  const text = plainMarkdown(task.goal).appendMarkdown("\n\n");
  const effort = task.effort === undefined ? "" : effortText(task.effort);
  text.appendText([state, mode, ...(effort === "" ? [] : [effort])].join(" · "));
  const words = task.question?.text ?? task.message;
  if (words !== undefined && words !== "") {
    text.appendMarkdown("\n\n---\n\n").appendText(words.slice(0, 1000));
  }
  return text.appendMarkdown("\n\n").appendCodeblock(task.taskId, "text");
}
