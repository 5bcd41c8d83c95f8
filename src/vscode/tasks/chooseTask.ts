import * as vscode from "vscode";
import { modeName } from "../../core/experts/modeName.js";
import type { TaskView } from "../../core/navigator/overview.js";
import { UserError } from "../../core/errors.js";
import { shorten } from "../shorten.js";

/**
 * Returns the task that a command is about: the one of a tree row or an id, else, from the command
 * palette, one that the user chooses. Throws a {@link UserError} if there is no such task.
 *
 * @param fits whether the command can be applied to a task
 */
export async function chooseTask(
  argument: unknown,
  tasks: readonly TaskView[],
  fits: (task: TaskView) => boolean,
): Promise<TaskView | undefined> {
  const taskId = typeof argument === "string" ? argument.slice(argument.lastIndexOf(":") + 1) : "";
  const named = tasks.find((task) => task.taskId === taskId);
  if (named) return named;
  if (taskId !== "") throw new UserError(vscode.l10n.t("There is no task {0} here.", taskId));
  const fitting = tasks.filter(fits);
  if (fitting.length === 0) {
    throw new UserError(vscode.l10n.t("There is no task to do this with."));
  }
  const picked = await vscode.window.showQuickPick(
    fitting.map((task) => ({
      label: shorten(task.goal, 80) || task.taskId,
      description: modeName(task.mode),
      detail: task.taskId,
      task,
    })),
    { placeHolder: vscode.l10n.t("Which task?"), matchOnDetail: true },
  );
  return picked?.task;
}
