import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { ConversationId, LongWork } from "../../core/ids.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { type Release, ResumableWork } from "../workspace/resumableWork.js";
import type { Resumable, ResumeRecord } from "../workspace/resumeStore.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { Notice } from "./notice.js";
import type { Notices } from "./notices.js";
import type { WatchedList } from "./watchedList.js";

/** The progress of work. */
export interface WorkProgress {
  readonly message: string;
  /** The progress from 0 to 100. Absent: the notification shows no bar. */
  readonly percent?: number;
}

/** A notice that work has ended or waits for the user, with one button. */
export interface EndNotice extends Pick<
  Notice,
  "kind" | "text" | "isWarning" | "isNotInPanel" | "conversation"
> {
  readonly button: string;
  /** The id of the command that the button runs, with the work's name as its argument. */
  readonly command: CommandId;
}

interface WindowWorkOptions<W extends Resumable> {
  readonly kind: LongWork["kind"];
  readonly workspace: CurrentWorkspace;
  readonly list: Pick<WatchedList<unknown>, "onDidChange" | "refresh">;
  /** Which work this window does; see {@link ResumeRecord}. */
  readonly record: ResumeRecord<W>;
  readonly notices: Notices;
}

/**
 * Long work of one kind as this window does it: recorded while it is under way, with its progress in a notification, and
 * resumed by the next window when this one was closed or has crashed.
 */
export abstract class WindowWork<W extends Resumable, End> {
  protected readonly work: ResumableWork<W>;
  protected readonly workspace: CurrentWorkspace;

  constructor(private readonly window: WindowWorkOptions<W>) {
    this.workspace = window.workspace;
    this.work = new ResumableWork(window.record);
  }

  /** Stops the work in all processes; resolves when it has ended, or after a timeout. */
  async stop(name: string): Promise<void> {
    const session = this.workspace.require();
    const { kind, list } = this.window;
    await session.start();
    const works = await session.works.kind(kind);
    if (works.isHere(name)) this.work.markStopped(name);
    const { left } = await works.stop(name);
    list.refresh();
    if (left > 0)
      session.notice("warning", this.stillStopping(name, left), this.conversationOf(name));
  }

  /** Returns what is said when so many processes have been told to stop and have not ended yet. */
  protected abstract stillStopping(name: string, left: number): string;

  /** Takes the work for this window; `undefined` while another process does it. */
  protected abstract claim(work: W, session: WorkspaceSession): Promise<Release | undefined>;

  /** Does the work that was claimed, and calls `release` when it has ended. */
  protected abstract perform(work: W, session: WorkspaceSession, release: Release): Promise<void>;

  /** Returns the title of the notification with the progress. */
  protected abstract title(name: string): string | Promise<string>;

  /** Returns the progress of the work; `undefined` if it is not listed. */
  protected abstract progress(name: string): WorkProgress | undefined;

  /** Resumes the work that a crash or a reload has interrupted. */
  async resume(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const resumed = await this.work.interrupted({
      claim: (work) => this.claim(work, session),
      resume: (work, release) => this.perform(work, session, release),
    });
    for (const resume of resumed) void session.run(resume);
  }

  /** Ends this window's part: work that ends later counts as interrupted and stays recorded for the next window. */
  end(): void {
    this.work.dispose();
  }

  dispose(): void {
    this.end();
  }

  /** Returns the conversation that shows the work. */
  protected conversationOf(name: string): ConversationId {
    return this.workspace.require().conversations.ofWork({ kind: this.window.kind, name });
  }

  /**
   * Records the work and shows its progress while `body` runs.
   *
   * @param onEnd called with the result, unless the window is closing
   */
  protected async during(
    work: W,
    body: () => Promise<End>,
    onEnd: (end: End) => void,
  ): Promise<void> {
    try {
      await this.work.during(work, async () => {
        const end = await this.withProgress(work.name, body);
        if (!this.work.isClosing) onEnd(end);
      });
    } finally {
      this.window.list.refresh();
    }
  }

  /** Tells of the work's end, unless the user sees the conversation, which shows it, too. */
  protected tellEnd(name: string, end: EndNotice): void {
    const { button, command, ...notice } = end;
    this.window.notices.tell({ ...notice, buttons: [{ label: button, command, about: name }] });
  }

  private async withProgress(name: string, body: () => Promise<End>): Promise<End> {
    const options: vscode.ProgressOptions = {
      location: vscode.ProgressLocation.Notification,
      title: await this.title(name),
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (notification, token) => {
      let shown = 0;
      const show = (): void => {
        const progress = this.progress(name);
        if (progress === undefined) return;
        const { message, percent } = progress;
        const isBar = percent !== undefined;
        notification.report({ message, ...(isBar ? { increment: percent - shown } : {}) });
        shown = percent ?? 0;
      };
      const subscription = vscode.Disposable.from(
        this.window.list.onDidChange(show),
        token.onCancellationRequested(() => {
          void this.stop(name).catch(() => undefined);
        }),
      );
      show();
      try {
        return await body();
      } finally {
        subscription.dispose();
      }
    });
  }
}
