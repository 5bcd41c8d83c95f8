import * as vscode from "vscode";
import type { PanelApprover } from "../panel/panelApprover.js";
import { WorkView } from "../work/workView.js";
import type { JobList } from "./jobList.js";
import { jobRows } from "./jobRows.js";

/** The "Jobs" view, with the number of open questions as its badge. */
export class JobsView extends WorkView<JobList["overview"]> {
  /** @param pid the id of this window's process */
  constructor(list: JobList, approver: PanelApprover, pid: number) {
    const { t } = vscode.l10n;
    super({
      id: "rooroo.jobs",
      list,
      redrawOn: [approver.onDidAsk, approver.onDidSettle],
      rows: (jobs) => jobRows(jobs, { pid, waiting: approver.waitingTasks, t }),
      badge: (jobs) => {
        const value = jobs
          .filter(({ state }) => state !== "done")
          .flatMap(({ questions }) => questions.filter(({ answer }) => answer === null)).length;
        const tooltip = value === 1 ? t("1 open question") : t("{0} open questions", value);
        return { value, tooltip };
      },
    });
  }
}
