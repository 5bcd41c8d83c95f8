import type * as vscode from "vscode";
import type { RunsOverview } from "../../core/runs/runOverview.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { WatchedList } from "../work/watchedList.js";

/** Files and folders of runs, wherever the runs are kept in the workspace. */
const globs = [
  "{multiverse,db,runs,**/db,**/runs}",
  "{db,**/db}/*.md",
  "{runs,**/runs}/*/{feedback_for_user*,failure,report_for_user}.md",
  ".rooroo/locks/run-run-*.lock",
];

/** The list of runs, as read from the files. */
export class RunList extends WatchedList<RunsOverview> {
  constructor(workspace: CurrentWorkspace, log: vscode.LogOutputChannel) {
    super(workspace, log, {
      name: "runs",
      empty: { runs: [], problems: [] },
      globs,
      read: async (session) => (await session.runs()).overview(),
      changes: (session) => session.onDidChangeRuns,
      isAtWork: ({ runs }) => runs.some(({ state }) => state === "here" || state === "elsewhere"),
    });
  }
}
