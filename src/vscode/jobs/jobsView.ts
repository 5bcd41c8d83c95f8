import * as vscode from "vscode";
import type { PanelApprover } from "../panel/panelApprover.js";
import { RowCollection } from "../work/row.js";
import { WorkView } from "../work/workView.js";
import type { JobList } from "./jobList.js";
import type { jobRows } from "./jobRows.js";

/** The "Jobs" view, with the number of open questions as its badge. What draws its rows is loaded with the first job. */
export class JobsView extends WorkView<JobList["overview"]> {
  /** @param pid the id of this window's process */
  constructor(list: JobList, approver: PanelApprover, pid: number) {
    const { t } = vscode.l10n;
    const onDidLoad = new vscode.EventEmitter<void>();
    let draw: typeof jobRows | undefined;
    let loading: Promise<void> | undefined;
    const load = async (): Promise<void> => {
      ({ jobRows: draw } = await import("./jobRows.js"));
      onDidLoad.fire();
    };
    super({
      id: "rooroo.jobs",
      list,
      redrawOn: [approver.onDidAsk, approver.onDidSettle, onDidLoad.event],
      rows: (jobs) => {
        if (draw !== undefined) return draw(jobs, { pid, waiting: approver.waitingTasks, t });
        if (jobs.length > 0) loading ??= load();
        return new RowCollection();
      },
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
