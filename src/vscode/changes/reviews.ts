import * as vscode from "vscode";
import type { LongWork, TaskId } from "../../core/ids.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { workKinds } from "../work/workKinds.js";

/** The changes that are reviewed together: those of a task, or of all tasks of a plan, job or run. */
export interface Review {
  /** The id of the task or the plan, a job's stem, or that and the id of the roadmap's task; so for a run's id. */
  readonly id: string;
  readonly goal: string;
  /** The title of the editor that shows the review; unique among all reviews. */
  readonly title: string;
  readonly taskIds: readonly TaskId[];
}

/** Returns all reviews, plans first. A plan with one task has none: the task's review shows the same. */
export function reviewsOf({ tasks, plans }: Overview): Review[] {
  const ofPlans = plans
    .filter(({ hasChanges, tasks: ids }) => hasChanges && ids.length > 1)
    .map(({ planId, goal, tasks: ids }) => review("plan", planId, goal, ids));
  const ofTasks = tasks
    .filter(({ hasChanges }) => hasChanges)
    .map(({ taskId, goal }) => review("task", taskId, goal, [taskId]));
  return [...ofPlans, ...ofTasks];
}

/** Returns the review that the active editor shows; it is also recognized after the window was reloaded. */
export function activeReview(reviews: readonly Review[]): Review | undefined {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label;
  return label === undefined ? undefined : reviews.find((one) => shows(label, one));
}

/** Returns the tabs that show the review. */
export function tabsOf(one: Review): vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.filter(({ label }) => shows(label, one));
}

/** Returns whether a tab's label is the review's title; VS Code appends the number of files to it. */
function shows(label: string, { title }: Review): boolean {
  return label === title || label.startsWith(`${title} (`);
}

/**
 * Makes the review of a task's or a plan's changes.
 *
 * @param goal the goal of the task or plan, as written for people
 */
export function review(
  kind: "plan" | "task" | LongWork["kind"],
  id: string,
  goal: string,
  taskIds: readonly TaskId[],
): Review {
  const name =
    kind === "plan" ? t("Plan") : kind === "task" ? t("Changes") : workKinds[kind].one(t);
  const end = id.replace(/^.*_\d{14}_/, "");
  return { id, goal, title: `${name}: ${shorten(goal, 40)} · ${end}`, taskIds };
}
