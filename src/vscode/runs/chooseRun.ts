import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { RunOverview } from "../../core/runs/runOverview.js";
import { runStateLook } from "./runTreeItem.js";
import { shorten } from "../shorten.js";

/**
 * Returns the run that a command is about: the named one, else the only one that fits, else one that
 * the user chooses. Throws a {@link UserError} if there is no such run.
 */
export async function chooseRun(
  runs: readonly RunOverview[],
  named: string | undefined,
  fits: (run: RunOverview) => boolean,
): Promise<RunOverview | undefined> {
  const { t } = vscode.l10n;
  if (named !== undefined) {
    const found = runs.find(({ runId }) => runId === named);
    if (found) return found;
    throw new UserError(t("There is no run {0} here.", named));
  }
  const fitting = runs.filter(fits);
  if (fitting.length === 0) throw new UserError(t("There is no run to do this with."));
  if (fitting.length === 1) return fitting[0];
  const picked = await vscode.window.showQuickPick(
    fitting.map((run) => ({
      label: shorten(run.request, 80) || run.runId,
      description: runStateLook(run.state)[0],
      detail: run.runId,
      run,
    })),
    { placeHolder: t("Which run?"), matchOnDetail: true },
  );
  return picked?.run;
}
