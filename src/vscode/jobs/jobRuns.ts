import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { NewJob } from "../../core/jobs/documents/jobFolder.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import { plainName } from "../../core/jobs/documents/jobPlace.js";
import type { Jobs } from "../../core/jobs/jobs.js";
import type { JobEnd, JobRun } from "../../core/jobs/work/outerLoop.js";
import type { Outcome } from "../../core/navigator/outcome.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { JobList } from "./jobList.js";
import type { JobResumeStore } from "./jobResumeStore.js";
import type { Settings } from "../settings/settings.js";
import { withoutLinks } from "../withoutLinks.js";
import { type Release, ResumableWork } from "../work/resumableWork.js";
import { withWorkProgress } from "../work/workProgress.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Runs jobs in this window, shows their progress, and resumes them in the next window. */
export class JobRuns implements vscode.Disposable {
  private readonly work: ResumableWork<JobRun>;

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: JobList,
    private readonly settings: Settings,
    record: JobResumeStore,
  ) {
    this.work = new ResumableWork(record);
  }

  /**
   * Runs a job; resolves when it has ended or has been stopped. Errors are shown in the conversation.
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
      await this.runAlone(run, session, () => own.held.release());
    });
  }

  /** Creates a job's file and returns its path. Throws a {@link UserError} if the job exists already. */
  async create(job: NewJob): Promise<string> {
    const jobs = await this.workspace.require().jobs();
    return jobs.create(job);
  }

  /** Starts a job with the values from the settings. Throws a {@link UserError} if no job has that name. */
  async begin(name: string): Promise<Outcome> {
    const jobs = await this.workspace.require().jobOverviews();
    const job = jobs.find((one) => one.name === name) ?? jobs.find(({ stem }) => stem === name);
    if (job === undefined) throw new UserError(vscode.l10n.t("There is no job {0} here.", name));
    void this.run({ name: job.name, ...this.settings.read().jobs });
    return { status: "done" };
  }

  /** Stops a job's runners in all processes; resolves when they have ended, or after a timeout. */
  stop(name: string): Promise<void> {
    const session = this.workspace.require();
    return session.run(async () => {
      const jobs = await session.jobs();
      if (jobs.running.has(name)) this.work.markStopped(name);
      const { left } = await jobs.stop(name);
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

  /** Resumes the jobs that a crash or a reload has interrupted. */
  async resume(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const resumed = await this.work.interrupted({
      claim: async (run) => {
        const own = await session.lock.tryHold(lockName(run));
        return "held" in own ? () => own.held.release() : undefined;
      },
      resume: (run, release) => this.runAlone(run, session, release),
    });
    for (const resume of resumed) void session.run(resume);
  }

  /** From now on, a job that ends counts as interrupted: it stays marked for the next window to resume. */
  dispose(): void {
    this.work.dispose();
  }

  /** @param release lets another window run the job again */
  private async runAlone(run: JobRun, session: WorkspaceSession, release: Release): Promise<void> {
    const { name } = run;
    const jobs = await session.jobs();
    let left = run.most ?? Infinity;
    const counting = session.onDidChangeJobs((event) => {
      if (event.type !== "taskEnded" || event.work?.name !== name) return;
      left--;
      if (left < Infinity) this.work.update(name, left > 0 ? { ...run, most: left } : undefined);
    });
    try {
      // The record goes before the lock: a window that waits for it would take the job for interrupted.
      await this.work.during(run, async () => {
        const end = await this.withProgress(run, jobs);
        if (!this.work.isClosing) void this.tell(name, end, session);
      });
    } finally {
      counting.dispose();
      await release();
      this.list.refresh();
    }
  }

  private withProgress(run: JobRun, jobs: Jobs): Promise<JobEnd> {
    const { name } = run;
    let shown = 0;
    return withWorkProgress(
      {
        title: vscode.l10n.t("Job {0}", withoutLinks(name)),
        onDidChange: this.list.onDidChange,
        show: (progress) => {
          const job = this.list.overview.find((one) => one.name === name);
          if (job === undefined) return;
          progress.report({ message: progressText(job), increment: job.progress - shown });
          shown = job.progress;
        },
        cancel: () => void this.stop(name),
      },
      () => jobs.run(run),
    );
  }

  /** Shows how a job ended: in the conversation, and, unless the user stopped it, in a notification too. */
  private async tell(name: string, { code, reason }: JobEnd, session: WorkspaceSession) {
    const isStopped = this.work.isStopped(name);
    const text = vscode.l10n.t("{0}: {1}", withoutLinks(name), reason);
    session.notice(code === 1 && !isStopped ? "warning" : "info", text);
    if (isStopped) return;
    const openLog = vscode.l10n.t("Open Log");
    const chosen =
      code === 1
        ? await vscode.window.showWarningMessage(text, openLog)
        : await vscode.window.showInformationMessage(text, openLog);
    if (chosen === openLog) await vscode.commands.executeCommand("rooroo.openJobLog", name);
  }
}

/** Returns the name of the lock that a window holds while it runs a job, so that only one resumes it. */
function lockName({ name }: JobRun): string {
  return `job-window-${plainName(name)}`;
}

function progressText({ progress, tasks, runners }: JobOverview): string {
  const { t } = vscode.l10n;
  const percent = t("{0}%", progress);
  if (tasks.total === 0) return runners.length === 0 ? percent : t("planning");
  return [percent, t("{0} of {1} tasks done", tasks.done, tasks.total)].join(", ");
}
