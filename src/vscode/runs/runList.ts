import type * as vscode from "vscode";
import type { Clock } from "../../core/ports/system.js";
import type { RunsOverview } from "../../core/runs/runOverview.js";
import type { Runs } from "../../core/runs/runs.js";
import type { Work } from "../../core/work/work.js";
import type { Settings } from "../settings/settings.js";
import { WatchedList } from "../work/watchedList.js";
import type { WorkList } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Files and folders of runs, wherever the runs are kept in the workspace. */
const globs = [
  "{multiverse,db,runs,**/db,**/runs}",
  "{db,**/db}/*.md",
  "{runs,**/runs}/*/{feedback_for_user*,failure,report_for_user}.md",
  ".rooroo/locks/run-run-*.lock",
  ".rooroo/runs/*.taken.json",
];

const noRuns: RunsOverview = { runs: [], problems: [] };

/** The list of runs, as read from the files. */
export class RunList extends WatchedList<RunsOverview> implements WorkList {
  /** What knows the runs, once there are some. */
  private readonly known: { runs?: Runs };

  constructor(
    workspace: CurrentWorkspace,
    settings: Settings,
    log: vscode.LogOutputChannel,
    clock: Clock,
  ) {
    const known: { runs?: Runs } = {};
    super(workspace, log, clock, {
      name: "runs",
      empty: noRuns,
      globs,
      // Most workspaces have no runs, and then nothing is loaded for them.
      read: async (session) => {
        if (!(await hasRuns(session, settings))) return noRuns;
        known.runs = await session.works.runs();
        return known.runs.overview();
      },
      changes: (session) => session.works.onDidChange("run"),
      isAtWork: ({ runs }) => runs.some(({ state }) => state === "here" || state === "elsewhere"),
    });
    this.known = known;
  }

  get works(): readonly Work[] {
    const { runs } = this.known;
    return runs === undefined ? [] : this.overview.runs.map(runs.work);
  }
}

async function hasRuns({ files }: WorkspaceSession, settings: Settings): Promise<boolean> {
  const directory = settings.runsDirectory;
  const roots = directory === undefined ? ["", "multiverse/"] : [`${directory}/`];
  const found = await Promise.all(
    roots.map((root) => files.stat(`${root}db/process_runs.md`).catch(() => undefined)),
  );
  return found.some((entry) => entry !== undefined);
}
