import * as vscode from "vscode";
import { UserError } from "../core/errors.js";
import type { NewJob } from "../core/jobs/jobFolder.js";
import type { JobOverview } from "../core/jobs/jobOverview.js";
import { plainName } from "../core/jobs/jobPlace.js";
import type { Jobs } from "../core/jobs/jobs.js";
import type { JobEnd, JobRun } from "../core/jobs/outerLoop.js";
import type { Outcome } from "../core/navigator/outcome.js";
import type { HeldLock } from "../core/ports.js";
import type { CurrentWorkspace } from "./currentWorkspace.js";
import type { JobList } from "./jobList.js";
import type { JobMark } from "./jobMark.js";
import { pause } from "./pause.js";
import type { Settings } from "./settings.js";
import { withoutLinks } from "./withoutLinks.js";
import type { WorkspaceSession } from "./workspaceSession.js";

/** How often somebody who waits for another window looks again. */
const lookAgainMs = 500;

/** Runs jobs in this window, shows how far they are, and goes on with them in the next window. */
export class JobRuns implements vscode.Disposable {
  private readonly stopped = new Set<string>();
  private isEnding = false;

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: JobList,
    private readonly settings: Settings,
    private readonly mark: JobMark,
  ) {}

  /**
   * Resolves when the job has ended, or has been stopped; what goes wrong is told in the conversation.
   * Throws `NotOpenError`.
   */
  run(run: JobRun): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      const own = await session.lock.tryHold(lockName(run));
      if ("holder" in own) {
        const { label, pid } = own.holder;
        const message = vscode.l10n.t(
          "{0} is run by {1} (process {2}) already.",
          run.name,
          label,
          pid,
        );
        throw new UserError(message);
      }
      await this.runAlone(run, session, own.held);
    });
  }

  /** Makes a job's file; answers with its path. Throws a {@link UserError} where there is such a job. */
  async create(job: NewJob): Promise<string> {
    const jobs = await this.workspace.require().jobs();
    return jobs.create(job);
  }

  /** Begins to run a job as the settings say. Throws a {@link UserError} where there is none of that name. */
  async begin(name: string): Promise<Outcome> {
    const jobs = await this.workspace.require().jobOverviews();
    const job = jobs.find((one) => one.name === name) ?? jobs.find(({ stem }) => stem === name);
    if (job === undefined) throw new UserError(vscode.l10n.t("There is no job {0} here.", name));
    void this.run({ name: job.name, ...this.settings.read().jobs });
    return { status: "done" };
  }

  /** Ends a job's turns in all processes; resolves when they have ended, or after a while. */
  stop(name: string): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      const jobs = await session.jobs();
      if (jobs.running.has(name)) this.stopped.add(name);
      const left = await jobs.stop(name, new AbortController().signal);
      this.list.refresh();
      if (left === 0) return;
      session.notice(
        "warning",
        vscode.l10n.t(
          "{0}: {1} runners have been told to stop and have not ended yet.",
          name,
          left,
        ),
      );
    });
  }

  /** Goes on with what a crash or a reload has cut off. */
  async resume(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    for (const run of await this.mark.read()) {
      void session.run(async () => {
        const held = await this.untilFree(run, session);
        if (held !== undefined) await this.runAlone(run, session, held);
      });
    }
  }

  /** From now on what ends is cut off: the process ends, not the work. */
  dispose(): void {
    this.isEnding = true;
  }

  /** `undefined` where another window has brought the job to its end meanwhile. */
  private async untilFree(run: JobRun, session: WorkspaceSession): Promise<HeldLock | undefined> {
    while (!this.isEnding) {
      const own = await session.lock.tryHold(lockName(run));
      if ("held" in own) {
        const isLeft = (await this.mark.read()).some(({ name }) => name === run.name);
        if (isLeft) return own.held;
        await own.held.release();
        return undefined;
      }
      await pause(lookAgainMs);
    }
    return undefined;
  }

  private async runAlone(run: JobRun, session: WorkspaceSession, alone: HeldLock): Promise<void> {
    const { name } = run;
    const jobs = await session.jobs();
    let left = run.most ?? Infinity;
    const counting = session.onDidChangeJobs((event) => {
      if (event.type !== "ended" || event.job !== name || this.isEnding) return;
      left--;
      if (left < Infinity) void this.mark.set(name, left > 0 ? { ...run, most: left } : undefined);
    });
    await this.mark.set(name, run);
    try {
      const end = await this.withProgress(run, jobs);
      if (!this.isEnding) void this.tell(name, end, session);
    } finally {
      counting.dispose();
      // Before another window, which may wait for it, can think that it was cut off.
      if (!this.isEnding) await this.mark.set(name, undefined);
      await alone.release();
      this.stopped.delete(name);
      this.list.refresh();
    }
  }

  private async withProgress(run: JobRun, jobs: Jobs): Promise<JobEnd> {
    const { name } = run;
    const options: vscode.ProgressOptions = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t("Job {0}", withoutLinks(name)),
      cancellable: true,
    };
    return vscode.window.withProgress(options, async (progress, token) => {
      let shown = 0;
      const show = () => {
        const job = this.list.overview.find((one) => one.name === name);
        if (job === undefined) return;
        progress.report({ message: progressText(job), increment: job.progress - shown });
        shown = job.progress;
      };
      const subscription = vscode.Disposable.from(
        this.list.onDidChange(show),
        token.onCancellationRequested(() => void this.stop(name)),
      );
      show();
      try {
        return await jobs.run(run);
      } finally {
        subscription.dispose();
      }
    });
  }

  /** In the conversation; to somebody who has not stopped it and may be elsewhere, beside it. */
  private async tell(name: string, { code, reason }: JobEnd, session: WorkspaceSession) {
    const text = vscode.l10n.t("{0}: {1}", withoutLinks(name), reason);
    session.notice(code === 1 && !this.stopped.has(name) ? "warning" : "info", text);
    if (this.stopped.has(name)) return;
    const openLog = vscode.l10n.t("Open Log");
    const chosen =
      code === 1
        ? await vscode.window.showWarningMessage(text, openLog)
        : await vscode.window.showInformationMessage(text, openLog);
    if (chosen === openLog) await vscode.commands.executeCommand("rooroo.openJobLog", name);
  }
}

/** Held by the window that runs a job, so that a job that is gone on with is not run twice. */
function lockName({ name }: JobRun): string {
  return `job-window-${plainName(name)}`;
}

function progressText({ progress, tasks, runners }: JobOverview): string {
  const { t } = vscode.l10n;
  const percent = t("{0}%", progress);
  if (tasks.total === 0) return runners.length === 0 ? percent : t("planning");
  return [percent, t("{0} of {1} tasks done", tasks.done, tasks.total)].join(", ");
}
