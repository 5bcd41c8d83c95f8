import * as vscode from "vscode";
import type { PanelApprover } from "../panel/panelApprover.js";
import { RowCollection } from "../work/row.js";
import { WorkView } from "../work/workView.js";
import type { JobList } from "./jobList.js";
import { awaitedQuestions } from "./openQuestions.js";
import type { jobRows } from "./jobRows.js";

/** The jobs, in a view of their own or as a group of the "Tasks" view. What draws its rows is loaded with the first job. */
export class JobsView extends WorkView<JobList["overview"]> {
  /**
   * @param isSeparate whether the jobs have a view of their own
   * @param pid the id of this window's process
   */
  constructor(list: JobList, approver: PanelApprover, isSeparate: () => boolean, pid: number) {
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
        const runners = jobs.flatMap((job) => job.runners);
        const approvals = runners.filter(({ taskId }) => approver.waitingTasks.has(taskId)).length;
        const value = awaitedQuestions(jobs) + approvals;
        return { value, tooltip: t("{0} awaiting your input", value) };
      },
      running: (jobs) => jobs.filter(({ state }) => state === "running").length,
      isSeparate,
    });
  }
}
