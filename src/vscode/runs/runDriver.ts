import * as vscode from "vscode";
import type { Signal } from "../../core/runs/decideRun.js";
import type { RunEnd } from "../../core/runs/driveRun.js";
import type { RunOverview } from "../../core/runs/runOverview.js";
import type { Runs } from "../../core/runs/runs.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { ResumableWork } from "../work/resumableWork.js";
import type { ResumeStore } from "../work/resumeStore.js";
import type { RunList } from "./runList.js";
import { shorten } from "../shorten.js";
import { withoutLinks } from "../withoutLinks.js";
import { withWorkProgress } from "../work/workProgress.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

export type RunMark = Pick<ResumeStore<{ readonly name: string }>, "read" | "set">;

/** Drives runs in this window, shows their progress, and resumes them in the next window. */
export class RunDriver implements vscode.Disposable {
  private readonly work: ResumableWork<{ readonly name: string }>;
  private readonly going = new Set<string>();

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: RunList,
    record: RunMark,
    /** Returns whether the user sees the conversation. */
    private readonly isChatShown: () => boolean,
  ) {
    this.work = new ResumableWork(record);
  }

  /** Records a run and starts to drive it; returns its id. */
  async start(request: string): Promise<string> {
    const runs = await this.runs();
    const runId = await runs.start(request);
    void this.goOn(runId);
    return runId;
  }

  /**
   * Applies the user's answer, and continues the run with it. Throws a {@link UserError} if the answer
   * does not fit the run's current state.
   */
  async decide(runId: string, signal: Signal): Promise<void> {
    const runs = await this.runs();
    this.work.markStopped(runId);
    try {
      await runs.decide(runId, signal);
    } finally {
      this.work.clearStopped(runId);
      this.list.refresh();
    }
    if (signal.type !== "CANCEL") void this.goOn(runId);
  }

  /**
   * Drives the run; resolves when it cannot continue, or at once if it already runs in this window.
   * Errors are shown in the conversation.
   */
  goOn(runId: string): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      const runs = await session.runs();
      if (this.going.has(runId)) return;
      this.going.add(runId);
      try {
        await this.work.during({ name: runId }, async () => {
          try {
            const end = await this.withProgress(runId, runs);
            if (!this.work.isClosing) void this.tell(runId, end, session);
          } finally {
            // Before the record is removed: the user may confirm at once, and the run must continue then.
            this.going.delete(runId);
          }
        });
      } finally {
        this.list.refresh();
      }
    });
  }

  /** Stops the run in whichever process drives it; resolves when it has ended, or after a timeout. */
  async stop(runId: string): Promise<void> {
    const runs = await this.runs();
    if (runs.isHere(runId)) this.work.markStopped(runId);
    const { left } = await runs.stop(runId);
    this.list.refresh();
    if (left === 0) return;
    const text = vscode.l10n.t("{0} has been told to stop and has not ended yet.", runId);
    this.workspace.require().notice("warning", text);
  }

  /** Resumes the runs that a crash or a reload has interrupted. */
  async resume(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const resumed = await this.work.interrupted({
      // A run's own lock is held by whoever drives it, so there is nothing else to be held.
      claim: async ({ name }) => {
        const runs = await session.runs();
        return (await runs.isFree(name)) ? () => Promise.resolve() : undefined;
      },
      resume: ({ name }) => this.goOn(name),
    });
    for (const resume of resumed) void session.run(resume);
  }

  /** From now on, a run that ends counts as interrupted: it stays marked for the next window to resume. */
  dispose(): void {
    this.work.dispose();
  }

  private async runs(): Promise<Runs> {
    const session = this.workspace.require();
    await session.start();
    return session.runs();
  }

  private async withProgress(runId: string, runs: Runs): Promise<RunEnd> {
    return withWorkProgress(
      {
        title: vscode.l10n.t("Run “{0}”", await this.titleOf(runId)),
        onDidChange: this.list.onDidChange,
        show: (progress) => {
          const run = this.list.overview.runs.find((one) => one.runId === runId);
          if (run !== undefined) progress.report({ message: progressText(run) });
        },
        cancel: () => {
          void this.stop(runId).catch(() => undefined);
        },
      },
      () => runs.drive(runId),
    );
  }

  /** Notifies the user, who may be elsewhere; the conversation has cards for proposals and reports. */
  private async tell(runId: string, { status, reason }: RunEnd, session: WorkspaceSession) {
    const { t } = vscode.l10n;
    const isStopped = this.work.isStopped(runId);
    if (status === "stopped") session.notice(isStopped ? "info" : "warning", `${runId}: ${reason}`);
    if (isStopped || (status !== "elsewhere" && this.isChatShown())) return;
    const title = await this.titleOf(runId);
    const [text, label, command] = {
      elsewhere: [t("“{0}” goes on in another window", title), t("Show"), "rooroo.runs.focus"],
      waiting: [t("“{0}” waits for your word", title), t("Show Proposal"), "rooroo.focusChat"],
      done: [t("“{0}” is complete", title), t("Open Outputs"), "rooroo.openRunOutputs"],
      failed: [t("“{0}” has failed", title), t("Open Report"), "rooroo.openRunReport"],
      stopped: [
        t("“{0}” has stopped: {1}", title, withoutLinks(reason)),
        t("Resume"),
        "rooroo.resumeRun",
      ],
    }[status] as [string, string, string];
    const chosen =
      status === "failed" || status === "stopped"
        ? await vscode.window.showWarningMessage(text, label)
        : await vscode.window.showInformationMessage(text, label);
    if (chosen === label) await vscode.commands.executeCommand(command, runId);
  }

  private async titleOf(runId: string): Promise<string> {
    const known = this.list.overview.runs.find((one) => one.runId === runId);
    if (known !== undefined) return withoutLinks(shorten(known.request, 40));
    const runs = await this.workspace.require().runs();
    const run = (await runs.overview()).runs.find((one) => one.runId === runId);
    return withoutLinks(shorten(run?.request ?? runId, 40));
  }
}

function progressText({ next, tasks }: RunOverview): string {
  const done = vscode.l10n.t("{0} of {1} tasks done", tasks.done, tasks.total);
  return tasks.total === 0 ? withoutLinks(next) : `${done} · ${withoutLinks(next)}`;
}
