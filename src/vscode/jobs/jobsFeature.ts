import type { Clock } from "../../core/ports/system.js";
import type { RequestedJob } from "../../core/work/requestedWork.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import type { PanelApprover } from "../panel/panelApprover.js";
import type { Settings } from "../settings/settings.js";
import { t } from "../text/words.js";
import { whenFirst } from "../timing/whenFirst.js";
import type { Notices } from "../work/notices.js";
import type { RowPages } from "../work/row.js";
import type { WaitingSource } from "../work/waiting.js";
import { WorkFeature } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { ResumeStore } from "../workspace/resumeStore.js";
import type { JobCommandSurroundings } from "./jobCommands.js";
import type { JobList } from "./jobList.js";

interface JobsFeatureOptions {
  readonly list: JobList;
  readonly workspace: CurrentWorkspace;
  readonly settings: Settings;
  readonly approver: PanelApprover;
  readonly waiting: WaitingSource;
  readonly resumeStore: ResumeStore;
  readonly places: () => Promise<ConversationPlaces>;
  readonly notices: Notices;
  readonly pages: RowPages;
  readonly clock: Clock;
  /** The id of this window's process. */
  readonly pid: number;
}

export type JobsFeature = WorkFeature<JobList["overview"], RequestedJob, JobCommandSurroundings>;

/** Returns the jobs in a window. */
export function jobsFeature(options: JobsFeatureOptions): JobsFeature {
  const { list, workspace, approver, pages, clock, pid } = options;
  const isStarted = (): boolean => workspace.session?.isStarted === true;
  return new WorkFeature({
    ...options,
    kind: "job",
    rows: {
      hasRows: (jobs) => jobs.length > 0,
      redrawOn: [approver.onDidAsk, approver.onDidSettle],
      load: async () => {
        const { jobRows } = await import("./jobRows.js");
        return (jobs) => {
          const now = clock.now().getTime();
          return jobRows(jobs, { paging: pages, pid, waiting: approver.waitingTasks, now, t });
        };
      },
    },
    load: async ({ rows }) => {
      const { JobRuns } = await import("./jobRuns.js");
      return new JobRuns({ ...options, tree: rows.tree, places: await options.places() });
    },
    also: [
      whenFirst(
        list.onDidChange,
        (jobs) => jobs.length > 0,
        async () => {
          const { jobDocuments } = await import("./jobDocuments.js");
          return jobDocuments(workspace, list, clock);
        },
      ),
      whenFirst(list.onDidChange, isStarted, async () => {
        const { followJobCards } = await import("./jobCards.js");
        return followJobCards(list, workspace, t);
      }),
    ],
  });
}
