import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import { jobStateLook } from "./jobTreeItem.js";

/**
 * Returns the job that a command is about: the named one, else the only one that fits, else one that
 * the user chooses. Throws a {@link UserError} if there is no such job.
 *
 * @param named the job's stem or name; `undefined` if the command's argument names no job
 */
export async function chooseJob(
  jobs: readonly JobOverview[],
  named: string | undefined,
  fits: (job: JobOverview) => boolean,
): Promise<JobOverview | undefined> {
  if (named !== undefined) {
    const found =
      jobs.find(({ stem }) => stem === named) ?? jobs.find(({ name }) => name === named);
    if (found) return found;
    throw new UserError(vscode.l10n.t("There is no job {0} here.", named));
  }
  const fitting = jobs.filter(fits);
  if (fitting.length === 0) throw new UserError(vscode.l10n.t("There is no job to do this with."));
  if (fitting.length === 1) return fitting[0];
  const picked = await vscode.window.showQuickPick(
    fitting.map((job) => ({
      label: job.name,
      description: vscode.l10n.t("{0}% · {1}", job.progress, jobStateLook(job.state)[0]),
      detail: job.title ?? job.jobPath,
      job,
    })),
    { placeHolder: vscode.l10n.t("Which job?"), matchOnDetail: true },
  );
  return picked?.job;
}
