import * as vscode from "vscode";
import { messageOf } from "../core/errors.js";
import { coalesce } from "./coalesce.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";
import type { WorkspaceSession } from "./workspaceSession.js";

/**
 * Work that is killed says nothing, and VS Code does not see every change of a file: none on some
 * network drives, and none in folders that came with all that is in them. So the list looks itself, too,
 * while somebody looks at the window or works on what is listed; and takes at most a hundredth of the time.
 */
const [lookAgainMs, restFactor] = [5_000, 100];

export interface WatchedListOptions<T> {
  /** In words, for the log. */
  readonly name: string;
  readonly empty: T;
  /**
   * Files whose change means that the list is out of date, whoever changed them, and their folders: of
   * one that is deleted VS Code tells nothing of what was in it.
   */
  readonly globs: readonly string[];
  read(session: WorkspaceSession): Promise<T>;
  /** What this window itself changes. */
  changes(session: WorkspaceSession): vscode.Event<unknown>;
  /** Somebody works on what is listed, without this window. Default: never. */
  isAtWork?(list: T): boolean;
}

/**
 * What files say of work, read anew soon after a window or a file says so.
 *
 * @typeParam T plain data
 */
export class WatchedList<T> implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<T>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions: vscode.Disposable[] = [];
  private latest: T;
  private watching = false;
  private disposed = false;
  private later: unknown;
  /** Why it could not be read the last time; what lasts is said once, not at every look. */
  private problem: string | undefined;

  /** Reads the list soon; whoever changed something may call it any number of times. */
  readonly refresh = coalesce(() => this.read(), 80);

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly log: vscode.LogOutputChannel,
    private readonly options: WatchedListOptions<T>,
  ) {
    this.latest = options.empty;
  }

  get overview(): T {
    return this.latest;
  }

  /** Watches from now on, once there is something to watch. */
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
    this.disposed = true;
    clearTimeout(this.later);
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.changed.dispose();
  }

  private async read(): Promise<void> {
    const list = await this.ask();
    // What was read last stays; the next change of a file tries again.
    if (list === undefined) return;
    this.latest = list;
    this.changed.fire(list);
  }

  /** Reads the list only to see whether it is out of date. */
  private async look(): Promise<void> {
    const { focused } = vscode.window.state;
    if (!focused && this.options.isAtWork?.(this.latest) !== true) return;
    const list = await this.ask();
    const isNew = list !== undefined && JSON.stringify(list) !== JSON.stringify(this.latest);
    if (isNew) this.refresh();
  }

  private async ask(): Promise<T | undefined> {
    clearTimeout(this.later);
    const { session } = this.workspace;
    const began = Date.now();
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
    } finally {
      if (!this.disposed) this.lookLater(Date.now() - began);
    }
  }

  private lookLater(tookMs: number): void {
    clearTimeout(this.later);
    const restMs = Math.max(lookAgainMs, tookMs * restFactor);
    this.later = setTimeout(() => void this.look(), restMs);
  }
}
