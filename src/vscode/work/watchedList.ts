import * as vscode from "vscode";
import { messageOf } from "../../core/errors.js";
import type { Clock } from "../../core/ports/system.js";
import { coalesce, type Coalesced } from "../timing/coalesce.js";
import { Polling } from "../timing/polling.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

export interface WatchedListOptions<T> {
  /** The name of the list, for the log. */
  readonly name: string;
  readonly empty: T;
  /**
   * Files whose change makes the list outdated, and their folders: when VS Code reports a deleted
   * folder, it does not report the files in it.
   */
  readonly globs: readonly string[];
  read(session: WorkspaceSession): Promise<T>;
  /** Fires for changes that this window itself makes. */
  changes(session: WorkspaceSession): vscode.Event<unknown>;
  /** Returns whether the listed work runs, perhaps in another process. Default: `false`. */
  isAtWork?(list: T): boolean;
}

/**
 * A list that is read from files, and read again soon after this window or a file has changed it.
 *
 * Killed work reports nothing, and VS Code does not see every change of a file: none on some network
 * drives, and none in folders that were created with all their content. So the list is also polled while
 * the window has focus or the listed work runs.
 *
 * @typeParam T plain data
 */
export class WatchedList<T> implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<T>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[] = [];
  private latest: T;
  private watching = false;
  private readonly polling: Polling;
  /** The reason why the last read failed; a lasting problem is logged once, not at every read. */
  private problem: string | undefined;

  /** Reads the list after a short delay; may be called any number of times. */
  readonly refresh: Coalesced;

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly log: vscode.LogOutputChannel,
    clock: Clock,
    private readonly options: WatchedListOptions<T>,
  ) {
    this.latest = options.empty;
    this.refresh = coalesce(() => this.read(), 80, clock);
    this.polling = new Polling(clock, () => this.look());
  }

  get overview(): T {
    return this.latest;
  }

  /** Starts watching, if there is a session and it is not being watched yet. */
  watch(): void {
    const { session } = this.workspace;
    if (session === undefined || this.watching) return;
    this.watching = true;
    const patterns = this.options.globs.map((glob) => {
      return new vscode.RelativePattern(session.folder, glob);
    });
    this.subscriptions.push(this.options.changes(session)(this.refresh));
    this.subscriptions.push(
      session.onDidStart(this.refresh),
      vscode.workspace.onDidSaveTextDocument((document) => {
        const isOurs = patterns.some(
          (pattern) => vscode.languages.match({ pattern }, document) > 0,
        );
        if (isOurs) this.refresh();
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.refresh();
      }),
    );
    for (const pattern of patterns) {
      const watcher = vscode.workspace.createFileSystemWatcher(pattern);
      watcher.onDidCreate(this.refresh);
      watcher.onDidChange(this.refresh);
      watcher.onDidDelete(this.refresh);
      this.subscriptions.push(watcher);
    }
    this.refresh();
  }

  dispose(): void {
    this.polling.dispose();
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  private async read(): Promise<void> {
    const list = await this.ask();
    // The last list stays; the next change of a file tries again.
    if (list === undefined) return;
    this.latest = list;
    this.changed.fire(list);
  }

  /** Reads the list only to find out whether it is outdated. */
  private async look(): Promise<void> {
    const { focused } = vscode.window.state;
    if (!focused && this.options.isAtWork?.(this.latest) !== true) return;
    const list = await this.ask();
    const isNew = list !== undefined && JSON.stringify(list) !== JSON.stringify(this.latest);
    if (isNew) this.refresh();
  }

  private ask(): Promise<T | undefined> {
    return this.polling.around(async () => {
      const { session } = this.workspace;
      try {
        const list = session === undefined ? this.options.empty : await this.options.read(session);
        this.problem = undefined;
        return list;
      } catch (error) {
        const problem = messageOf(error);
        if (problem !== this.problem) {
          this.log.warn(`The list of ${this.options.name} cannot be read: ${problem}`);
        }
        this.problem = problem;
        return undefined;
      }
    });
  }
}
