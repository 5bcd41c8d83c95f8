import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { PlanView } from "../../core/navigator/overview.js";
import { shorten } from "../shorten.js";

/**
 * Returns the plan that a command is about: the one of a tree row or an id, else, from the command
 * palette, one that the user chooses. Throws a {@link UserError} if there is no such plan.
 */
export async function choosePlan(
  argument: unknown,
  plans: readonly PlanView[],
): Promise<PlanView | undefined> {
  const planId = typeof argument === "string" ? argument.slice(argument.lastIndexOf(":") + 1) : "";
  const named = plans.find((plan) => plan.planId === planId);
  if (named) return named;
  if (planId !== "") throw new UserError(vscode.l10n.t("There is no plan {0} here.", planId));
  if (plans.length === 0) throw new UserError(vscode.l10n.t("There is no plan here yet."));
  const picked = await vscode.window.showQuickPick(
    plans.map((plan) => ({
      label: shorten(plan.goal, 80) || plan.planId,
      description: vscode.l10n.t("{0} of {1} done", plan.done, plan.tasks.length),
      detail: plan.planId,
      plan,
    })),
    { placeHolder: vscode.l10n.t("Which plan?"), matchOnDetail: true },
  );
  return picked?.plan;
}
