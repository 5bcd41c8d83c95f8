import * as vscode from "vscode";
import { UserError } from "../core/errors.js";
import type { Signal } from "../core/runs/decideRun.js";
import type { RunEnd } from "../core/runs/driveRun.js";
import type { RunOverview } from "../core/runs/runOverview.js";
import type { Runs } from "../core/runs/runs.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";
import { pause } from "./pause.js";
import type { ResumeList } from "./resumeList.js";
import type { RunList } from "./runList.js";
import { shorten } from "./shorten.js";
import { withoutLinks } from "./withoutLinks.js";
import type { WorkspaceSession } from "./workspaceSession.js";

/** How often somebody who waits for another window looks again. */
const lookAgainMs = 500;

export type RunMark = Pick<ResumeList<{ readonly name: string }>, "read" | "set">;

/** Has runs go on in this window, shows how far they are, and goes on with them in the next one. */
export class RunDriver implements vscode.Disposable {
  private readonly stopped = new Set<string>();
  private readonly going = new Set<string>();
  private isEnding = false;

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: RunList,
    private readonly mark: RunMark,
    /** The person has the conversation before them. */
    private readonly isChatShown: () => boolean,
  ) {}

  /** Records a run, and has it go on; answers with its id. */
  async start(request: string): Promise<string> {
    const runs = await this.runs();
    const runId = await runs.start(request);
    void this.goOn(runId);
    return runId;
  }

  /**
   * Takes a person's word, and has the run go on with it. Throws a {@link UserError} where it cannot be
   * said of the run as it is now.
   */
  async decide(runId: string, signal: Signal): Promise<void> {
    const runs = await this.runs();
    this.stopped.add(runId);
    try {
      await runs.decide(runId, signal);
    } finally {
      this.stopped.delete(runId);
      this.list.refresh();
    }
    if (signal.type !== "CANCEL") void this.goOn(runId);
  }

  /**
   * Resolves when the run cannot go on any further, or does so here already; what goes wrong is told in
   * the conversation.
   */
  goOn(runId: string): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      const runs = await session.runs();
      const name = runId;
      if (this.going.has(runId)) return;
      this.going.add(runId);
      await this.mark.set(name, { name });
      try {
        const end = await this.withProgress(runId, runs);
        if (!this.isEnding) void this.tell(runId, end, session);
      } finally {
        if (!this.isEnding) void this.mark.set(name, undefined);
        this.stopped.delete(runId);
        this.going.delete(runId);
        this.list.refresh();
      }
    });
  }

  /** Throws a {@link UserError} where it does not go on here. */
  async stop(runId: string): Promise<void> {
    const runs = await this.runs();
    if (!runs.isHere(runId)) {
      throw new UserError(vscode.l10n.t("{0} does not go on in this window.", runId));
    }
    this.stopped.add(runId);
    await runs.stop(runId);
  }

  /** Goes on with what a crash or a reload has cut off. */
  async resume(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    for (const { name } of await this.mark.read()) {
      void session.run(async () => {
        const runs = await session.runs();
        // The window before this one may still be ending.
        while (!(await runs.isFree(name))) {
          if (this.isEnding) return;
          await pause(lookAgainMs);
        }
        const isLeft = (await this.mark.read()).some((one) => one.name === name);
        if (isLeft && !this.isEnding) await this.goOn(name);
      });
    }
  }

  /** From now on what ends is cut off: the process ends, not the work. */
  dispose(): void {
    this.isEnding = true;
  }

  private async runs(): Promise<Runs> {
    const session = this.workspace.require();
    await session.start();
    return session.runs();
  }

  private async withProgress(runId: string, runs: Runs): Promise<RunEnd> {
    const options: vscode.ProgressOptions = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Run “{0}”", await this.titleOf(runId)),
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      const show = () => {
        const run = this.list.overview.runs.find((one) => one.runId === runId);
        if (run !== undefined) progress.report({ message: progressText(run) });
      };
      const subscription = vscode.Disposable.from(
        this.list.onDidChange(show),
        token.onCancellationRequested(() => {
          void this.stop(runId).catch(() => undefined);
        }),
      );
      show();
      try {
        return await runs.drive(runId);
      } finally {
        subscription.dispose();
      }
    });
  }

  /** To somebody who may be elsewhere; the conversation has cards for what runs ask and report. */
  private async tell(runId: string, { status, reason }: RunEnd, session: WorkspaceSession) {
    const { t } = vscode.l10n;
    const isStopped = this.stopped.has(runId);
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
