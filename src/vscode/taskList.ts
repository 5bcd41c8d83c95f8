import * as vscode from "vscode";
import { activityLogPath } from "../core/activity/activityLog.js";
import { messageOf } from "../core/errors.js";
import type { Overview } from "../core/navigator/overview.js";
import { coalesce } from "./coalesce.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";

const nothing: Overview = { tasks: [], problems: [], modeProblems: [], plans: [] };

/** Files whose change means that a list is out of date, whoever changed them. */
const watched = [
  ".rooroo/queue.jsonl",
  ".rooroo/tasks/*/{task,question,report}.json",
  ".rooroo/locks/drain.lock",
  // Whoever does something says so here; files that come together with their folder can be missed.
  activityLogPath,
  ".roomodes",
];

/** The tasks as the files have them, read anew soon after the Navigator or a file says so. */
export class TaskList implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<Overview>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[] = [];
  private latest = nothing;
  private watching = false;

  /** Reads the list soon; whoever changed something may call it any number of times. */
  readonly refresh = coalesce(() => this.read(), 80);

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  get overview(): Overview {
    return this.latest;
  }

  /** Watches from now on, once there is something to watch. */
  watch(): void {
    const { session } = this.workspace;
    if (session === undefined || this.watching) return;
    this.watching = true;
    this.subscriptions.push(session.onDidChangeTasks(this.refresh));
    for (const glob of watched) {
      const pattern = new vscode.RelativePattern(session.folder, glob);
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      watcher.onDidCreate(this.refresh);
      watcher.onDidChange(this.refresh);
      watcher.onDidDelete(this.refresh);
      this.subscriptions.push(watcher);
    }
    this.refresh();
  }

  dispose(): void {
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  private async read(): Promise<void> {
    try {
      this.latest = (await this.workspace.session?.overview()) ?? nothing;
    } catch (error) {
      // What was read last stays; the next change of a file tries again.
      this.log.warn(`The list of tasks cannot be read: ${messageOf(error)}`);
      return;
    }
    this.changed.fire(this.latest);
  }
}
