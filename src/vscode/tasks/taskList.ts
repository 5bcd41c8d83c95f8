import type * as vscode from "vscode";
import { activityLogPath } from "../../core/activity/activityLogPath.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { Clock } from "../../core/ports/system.js";
import { WatchedList } from "../work/watchedList.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";

const globs = [
  ".rooroo/queue.jsonl",
  ".rooroo/tasks/*/{task,question,report,message-*}.json",
  ".rooroo/locks/drain.lock",
  // Every action is logged here; VS Code can miss files that are created together with their folder.
  activityLogPath,
  ".roomodes",
];

/** The list of tasks, as read from the files. */
export class TaskList extends WatchedList<Overview> {
  constructor(workspace: CurrentWorkspace, log: vscode.LogOutputChannel, clock: Clock) {
    super(workspace, log, clock, {
      name: "tasks",
      empty: { tasks: [], problems: [], modeProblems: [], experts: [], plans: [] },
      globs,
      read: (session) => session.overview(),
      changes: (session) => session.onDidChangeTasks,
    });
  }
}
