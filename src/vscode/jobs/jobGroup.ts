import type { Clock } from "../../core/ports/system.js";
import type { PanelApprover } from "../panel/panelApprover.js";
import { t } from "../text/words.js";
import type { RowPages } from "../work/row.js";
import type { WaitingSource } from "../work/waiting.js";
import { WorkRows } from "../work/workRows.js";
import type { JobList } from "./jobList.js";

/** The jobs, as a group of the "Tasks" view. */
export class JobGroup extends WorkRows<JobList["overview"]> {
  /** @param pid the id of this window's process */
  constructor(
    list: JobList,
    approver: PanelApprover,
    waiting: WaitingSource,
    pid: number,
    clock: Clock,
    pages: RowPages,
  ) {
    super({
      list,
      redrawOn: [approver.onDidAsk, approver.onDidSettle, waiting.onDidChange],
      hasRows: (jobs) => jobs.length > 0,
      load: async () => {
        const { jobRows } = await import("./jobRows.js");
        return (jobs) =>
          jobRows(jobs, {
            paging: pages,
            pid,
            waiting: approver.waitingTasks,
            now: clock.now().getTime(),
            t,
          });
      },
      needsYou: () => waiting.waiting("job").length,
      running: (jobs) => jobs.filter(({ state }) => state === "running").length,
    });
  }
}
