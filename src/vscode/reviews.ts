import * as vscode from "vscode";
import type { Overview } from "../core/navigator/overview.js";
import { shorten } from "./shorten.js";

/** What is reviewed together: the changes of a task, or of all tasks of a plan. */
export interface Review {
  /** The task's or the plan's. */
  readonly id: string;
  readonly goal: string;
  /** Of the editor that shows it; no other review has it. */
  readonly title: string;
  readonly taskIds: readonly string[];
}

/** Plans first; a plan of one task says nothing that the task does not. */
export function reviewsOf({ tasks, plans }: Overview): Review[] {
  const ofPlans = plans
    .filter(({ hasChanges, tasks: ids }) => hasChanges && ids.length > 1)
    .map(({ planId, goal, tasks: ids }) => review(planId, goal, ids));
  const ofTasks = tasks
    .filter(({ hasChanges }) => hasChanges)
    .map(({ taskId, goal }) => review(taskId, goal, [taskId]));
  return [...ofPlans, ...ofTasks];
}

/** The review that the window's active editor shows, also after the window was loaded anew. */
export function activeReview(reviews: readonly Review[]): Review | undefined {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
  return label === undefined ? undefined : reviews.find((one) => shows(label, one));
}

/** Editors that show this review. */
export function tabsOf(one: Review): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ label }) => shows(label, one));
}

/** VS Code puts the number of files behind a title. */
function shows(label: string, { title }: Review): boolean {
  return label === title || label.startsWith(`${title} (`);
}

/** @param goal of the task or plan, for people */
export function review(id: string, goal: string, taskIds: readonly string[]): Review {
  const kind = id.startsWith("ROO#PLAN_") ? vscode.l10n.t("Plan") : vscode.l10n.t("Changes");
  const end = id.replace(/^.*_\d{14}_/, "");
  return { id, goal, title: `${kind}: ${shorten(goal, 40)} · ${end}`, taskIds };
}
