import type * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Jobs } from "../../core/jobs/jobs.js";
import type { Clock } from "../../core/ports/system.js";
import type { Work } from "../../core/work/work.js";
import { WatchedList } from "../work/watchedList.js";
import type { WorkList } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

/** The list of jobs, as read from the files. */
export class JobList extends WatchedList<readonly JobOverview[]> implements WorkList {
  /** What knows the jobs, once there are some. */
  private readonly known: { jobs?: Jobs };

  constructor(workspace: CurrentWorkspace, log: vscode.LogOutputChannel, clock: Clock) {
    const known: { jobs?: Jobs } = {};
    super(workspace, log, clock, {
      name: "jobs",
      empty: [],
      globs: [".jixo", ".jixo/*.md", ".rooroo/jobs/*/{runners/*,taken}.json"],
      // Most workspaces have no jobs, and then nothing is loaded for them.
      read: async (session) => {
        if (!(await session.works.hasJobs())) return [];
        known.jobs = await session.works.jobs();
        return known.jobs.overviews();
      },
      changes: (session) => session.works.onDidChange("job"),
      isAtWork: (jobs) => jobs.some(({ runners }) => runners.length > 0),
    });
    this.known = known;
  }

  get works(): readonly Work[] {
    const { jobs } = this.known;
    return jobs === undefined ? [] : this.overview.map(jobs.work);
  }
}
