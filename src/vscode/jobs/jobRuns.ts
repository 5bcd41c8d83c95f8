import * as z from "zod/mini";
import { UserError } from "../../core/errors.js";
import type { ConversationId, JobName } from "../../core/ids.js";
import type { NewJob } from "../../core/jobs/documents/jobFolder.js";
import { plainName } from "../../core/jobs/documents/jobNames.js";
import type { JobEnd, JobOrder } from "../../core/jobs/work/outerLoop.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import { spoken, words } from "../../core/text/words.js";
import type { Beginning, RequestedJob } from "../../core/work/requestedWork.js";
import type { WorkAnswer } from "../../core/work/work.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import type { Settings } from "../settings/settings.js";
import { withoutLinks } from "../text/withoutLinks.js";
import { t } from "../text/words.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { Notices } from "../work/notices.js";
import type { RowTree } from "../work/rowTree.js";
import { WindowWork, type WorkProgress } from "../work/windowWork.js";
import type { WorkController } from "../work/workFeature.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { Release } from "../workspace/resumableWork.js";
import type { ResumeStore } from "../workspace/resumeStore.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { jobCommands, type JobCommandSurroundings } from "./jobCommands.js";
import type { JobList } from "./jobList.js";
import { unitsLeft } from "./unitsLeft.js";

const count = z.int().check(z.minimum(1));

/** The options of a job that runs, as they are stored for the next window. */
const storedRun = z.object({
  name: z.string(),
  runners: count,
  quota: count,
  most: z.optional(count),
  until: z.optional(
    z
      .pipe(
        z.string(),
        z.transform((text) => new Date(text)),
      )
      .check(z.refine((time) => !Number.isNaN(time.getTime()))),
  ),
  waits: z.optional(z.boolean()),
});

interface JobRunsOptions {
  readonly workspace: CurrentWorkspace;
  readonly list: JobList;
  readonly tree: RowTree;
  readonly settings: Settings;
  readonly places: ConversationPlaces;
  readonly resumeStore: ResumeStore;
  readonly notices: Notices;
}

/** Runs jobs in this window. */
export class JobRuns
  extends WindowWork<JobOrder, JobEnd>
  implements WorkController<RequestedJob, JobCommandSurroundings>
{
  constructor(private readonly options: JobRunsOptions) {
    const record = options.resumeStore.record("job", storedRun);
    super({ ...options, kind: "job", record });
  }

  commands(surroundings: JobCommandSurroundings): CommandHandlers {
    return jobCommands({ ...this.options, ...surroundings, runs: this });
  }

  async answer(job: JobName, questionId: string, answer: WorkAnswer): Promise<void> {
    if (answer.type === "RESUME") {
      void this.run({ ...this.options.settings.jobs, name: job });
      return;
    }
    if (answer.type !== "TEXT") throw new Error(`A job is answered with text, not ${answer.type}.`);
    const session = this.workspace.require();
    await session.start();
    await (await session.works.jobs()).answer(questionId, answer.text);
  }

  /**
   * Runs a job that a person has named, and so takes over; resolves when it has ended or has been stopped. Errors are shown
   * in the conversation. Throws `NotOpenError`.
   *
   * @param given the request as it was written down; absent: it is written down now
   */
  async run(run: JobOrder, given?: Beginning): Promise<void> {
    const session = this.workspace.require();
    const job = { ...run, until: run.until?.toISOString() };
    const begun = given ?? (await (await session.navigator()).accept({ kind: "job", job }));
    try {
      await session.run(async () => {
        const own = await session.lock.tryHold(lockName(run));
        if ("holder" in own) {
          const { label, pid } = own.holder;
          throw new UserError(
            "jobRunElsewhere",
            "{job} is already being run by {holder} (process {pid}).",
            { job: run.name, holder: label, pid },
          );
        }
        await this.perform(run, session, () => own.held.release(), begun);
      });
    } finally {
      await begun?.end();
    }
  }

  /** Creates a job's file and returns its path. Throws a {@link UserError} if the job exists already. */
  async create(job: NewJob): Promise<string> {
    const jobs = await this.workspace.require().works.jobs();
    return jobs.create(job);
  }

  /**
   * Starts a job, with the values from the settings where none are given. It is shown in this conversation, or else in the
   * side bar's. Throws a {@link UserError} if no job has that name.
   */
  async begin(
    { until, ...order }: RequestedJob,
    conversation: ConversationId | undefined,
    begun: Beginning,
  ): Promise<void> {
    const { name } = order;
    const session = this.workspace.require();
    const jobs = await session.works.jobOverviews();
    const job = jobs.find((one) => one.name === name) ?? jobs.find(({ stem }) => stem === name);
    if (job === undefined) {
      throw new UserError("jobUnknown", "There is no job {job} in this workspace.", { job: name });
    }
    const { conversations } = session;
    const where = conversation ?? conversations.current.id;
    conversations.startedIn({ kind: "job", name: job.name }, where);
    const given = { ...order, ...(until === undefined ? {} : { until: new Date(until) }) };
    void this.run({ ...this.options.settings.jobs, ...given, name: job.name }, begun);
  }

  protected stillStopping(name: JobName, left: number): string {
    return t(
      "{0}: {1, plural, one {# runner is still stopping.} other {# runners are still stopping.}}",
      name,
      left,
    );
  }

  protected async claim(run: JobOrder, session: WorkspaceSession): Promise<Release | undefined> {
    const own = await session.lock.tryHold(lockName(run));
    return "held" in own ? () => own.held.release() : undefined;
  }

  /** @param begun what the person has asked for; absent: the job goes on after a reload */
  protected async perform(
    run: JobOrder,
    session: WorkspaceSession,
    release: Release,
    begun?: Beginning,
  ): Promise<void> {
    const { name } = run;
    const jobs = await session.works.jobs();
    let left: JobOrder | undefined = run;
    const counting = session.works.onDidChange("job")((event) => {
      const before = left;
      left = before && unitsLeft(before, event);
      if (left !== before) this.work.update(name, left);
    });
    try {
      if (begun !== undefined) await jobs.takeOver(name);
      // The record goes before the lock: a window that waits for it would take the job for interrupted.
      await this.during(
        run,
        async () => {
          // The next window goes on with it from now on.
          await begun?.end();
          return jobs.run({ ...run, budget: this.options.settings.get("limits.job") });
        },
        (end) => {
          this.afterEnd(name, end, session);
        },
      );
    } finally {
      counting.dispose();
      await release();
      this.options.list.refresh();
    }
  }

  protected title(name: JobName): string {
    return t("Job {0}", withoutLinks(name));
  }

  protected progress(name: JobName): WorkProgress | undefined {
    const job = this.options.list.overview.find((one) => one.name === name);
    if (job === undefined) return undefined;
    const { progress, tasks, runners } = job;
    const percent = t("{0}%", progress);
    const planning = runners.length === 0 ? percent : t("planning");
    const done = tasksDoneText(tasks.done, tasks.total, t);
    return { percent: progress, message: tasks.total === 0 ? planning : `${percent}, ${done}` };
  }

  /** Shows how a job ended: in the conversation, and, unless the user stopped it, in a notice too. */
  private afterEnd(name: JobName, { code, reason }: JobEnd, session: WorkspaceSession): void {
    const isStopped = this.work.isStopped(name);
    const text = words("{0}: {1}", { 0: withoutLinks(name), 1: reason });
    const level = code === 1 && !isStopped ? "warning" : "info";
    session.notice(level, text, this.conversationOf(name));
    if (isStopped) return;
    this.tellEnd(name, {
      kind: "done",
      conversation: this.conversationOf(name),
      text: spoken(text, t),
      isWarning: code === 1,
      button: t("Open Log"),
      command: "rooroo.openJobLog",
    });
  }
}

/** Returns the name of the lock that a window holds while it runs a job, so that only one resumes it. */
function lockName({ name }: JobOrder): string {
  return `job-window-${plainName(name)}`;
}
