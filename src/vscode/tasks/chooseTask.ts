import { UserError } from "../../core/errors.js";
import { modeName } from "../../core/experts/modeName.js";
import type { PlanView, TaskView } from "../../core/navigator/overview/overview.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { choose, idIn } from "../work/choose.js";

/**
 * Returns the task that a command is about: the one of a tree row or an id, else one that the user
 * chooses. Throws a `UserError` if there is no such task.
 *
 * @param fits whether the command can be applied to a task
 */
export function chooseTask(
  argument: unknown,
  tasks: readonly TaskView[],
  fits: (task: TaskView) => boolean,
): Promise<TaskView | undefined> {
  return choose(tasks, idIn(argument), {
    fits,
    names: ({ taskId }) => [taskId],
    show: ({ goal, taskId, mode }) => {
      return { label: shorten(goal, 80) || taskId, description: t(modeName(mode)), detail: taskId };
    },
    placeHolder: t("Select a task"),
    unknown: (task) =>
      new UserError("workspaceTaskUnknown", "There is no task {task} in this workspace.", { task }),
    none: () => new UserError("noTaskApplies", "There is no task that this command applies to."),
  });
}

/** Does the same as {@link chooseTask} for a plan. */
export function choosePlan(
  argument: unknown,
  plans: readonly PlanView[],
): Promise<PlanView | undefined> {
  return choose(plans, idIn(argument), {
    names: ({ planId }) => [planId],
    show: ({ goal, planId, done, tasks }) => ({
      label: shorten(goal, 80) || planId,
      description: t("{0} of {1} done", done, tasks.length),
      detail: planId,
    }),
    placeHolder: t("Select a plan"),
    unknown: (plan) =>
      new UserError("planUnknown", "There is no plan {plan} in this workspace.", { plan }),
    none: () => new UserError("noPlans", "There are no plans in this workspace yet."),
  });
}
