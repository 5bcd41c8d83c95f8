import type * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Clock } from "../../core/ports/system.js";
import { WatchedList } from "../work/watchedList.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

/** The list of jobs, as read from the files. */
export class JobList extends WatchedList<readonly JobOverview[]> {
  constructor(workspace: CurrentWorkspace, log: vscode.LogOutputChannel, clock: Clock) {
    super(workspace, log, clock, {
      name: "jobs",
      empty: [],
      globs: [".jixo", ".jixo/*.md", ".rooroo/jobs/*/{runners/*,taken}.json"],
      read: (session) => session.jobOverviews(),
      changes: (session) => session.onDidChangeJobs,
      isAtWork: (jobs) => jobs.some(({ runners }) => runners.length > 0),
    });
  }
}
