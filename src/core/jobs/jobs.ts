import type { UndoneFile } from "../changes/taskChanges.js";
import { UserError } from "../errors.js";
import type { JobName } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Lock } from "../ports/locks.js";
import type { Clock, Ids } from "../ports/system.js";
import { stoppedByUser, type Stopped, stopWork } from "../work/stop.js";
import { takeOver } from "../work/takenOver.js";
import type { WorkKind } from "../work/work.js";
import { WorkRegistry } from "../work/workRegistry.js";
import { answerJob } from "./answerJob.js";
import { fixedDocument, readJobDocument } from "./documents/jobDocument.js";
import { type Job, jobNamed, type NewJob, newJobFile, readJobs } from "./documents/jobFolder.js";
import { jobStopName } from "./documents/jobNames.js";
import { takeableJob } from "./documents/takenOver.js";
import { jobFacts } from "./facts/jobFacts.js";
import type { JobOverview } from "./facts/jobOverview.js";
import { jobWork } from "./facts/jobWork.js";
import { jobPage, type JobPageOptions } from "./page/jobPage.js";
import { writeJobPage } from "./page/writeJobPage.js";
import { readJobOverview } from "./readJobOverview.js";
import { setTaskBack, undoable } from "./undoTask.js";
import type { JobServices } from "./work/jobServices.js";
import { type JobEnd, type JobOrder, outerLoop } from "./work/outerLoop.js";
import { RunnerRecords } from "./work/runnerRecords.js";
import { TaskCommits } from "./work/taskCommits.js";

/** The jobs that this process runs, and the user's actions on the jobs of any process. */
export class Jobs implements WorkKind {
  readonly #running = new WorkRegistry();

  /** The jobs as they were read last. */
  #seen: readonly Job[] = [];

  readonly document = readJobDocument;
  readonly fixes = fixedDocument;
  readonly work = jobWork;

  constructor(private readonly services: JobServices) {}

  isHere(name: JobName): boolean {
    return this.#running.has(name);
  }

  /** Throws a {@link UserError} if there is no such job. */
  async takeOver(name: JobName): Promise<void> {
    const { files, experts } = this.services;
    await takeOver(takeableJob(await jobNamed(name, files)), { files, signer: experts.signer });
  }

  /**
   * Runs a job until it ends.
   *
   * @throws {UserError} if this process runs the job already, or if nobody has taken it over
   */
  async run(run: JobOrder): Promise<JobEnd> {
    if (this.#running.has(run.name))
      throw new UserError("jobAlreadyRunning", "The job {name} is running already.", {
        name: run.name,
      });
    return this.#running.run(run.name, (signal) =>
      outerLoop({ ...run, startedBy: "itself" }, this.services, signal),
    );
  }

  /** Reads all jobs of the workspace from their files and locks. */
  async overviews(): Promise<JobOverview[]> {
    this.#seen = await readJobs(this.services.files, this.#seen);
    return Promise.all(this.#seen.map((job) => this.#overview(job)));
  }

  #overview(job: Job): Promise<JobOverview> {
    const { files, lock, experts } = this.services;
    const { clock, signer } = experts;
    return readJobOverview(job, { files, lock, clock, signer }, this.isHere(job.name));
  }

  /** Writes the page of a job as it is now, and returns its path; see {@link writeJobPage}. */
  async writePage(name: JobName, options: JobPageOptions): Promise<string> {
    const { files, lock, experts } = this.services;
    const job = await jobNamed(name, files);
    const now = experts.clock.now();
    const facts = jobFacts(job, await this.#overview(job), now);
    return writeJobPage(job, jobPage(facts, options), { files, lock });
  }

  /** Does the same as {@link newJobFile}. */
  create(job: NewJob): Promise<string> {
    const { files, experts } = this.services;
    return newJobFile(files, experts.signer, job);
  }

  /** Stops a job as {@link stopJob} does; the runners of this process hear of it at once. */
  async stop(name: JobName): Promise<Stopped> {
    const { files, lock, experts } = this.services;
    const { clock, ids } = experts;
    const endsHere = this.#running.stop(name, stoppedByUser());
    const job = await jobNamed(name, files);
    return stopJob(job, { files, lock, clock, ids }, endsHere);
  }

  /** Ends all jobs that this process runs, before the process itself ends. */
  async stopOwn(reason: UserError): Promise<void> {
    await this.#running.stopAll(reason);
  }

  /** Throws what {@link undoable} throws. */
  async checkUndo(name: JobName, taskId: string): Promise<void> {
    undoable(await jobNamed(name, this.services.files), taskId);
  }

  /** Does the same as {@link setTaskBack}, with the task as it is now, and commits the undoing where tasks are committed. */
  async setTaskBack(name: JobName, taskId: string, undone: readonly UndoneFile[]): Promise<void> {
    const { files, lock, experts, publisher } = this.services;
    const { clock, signer, host } = experts;
    const job = await jobNamed(name, files);
    const task = job.log.tasks.find(({ id }) => id === taskId);
    if (task === undefined || !(await setTaskBack(job, task, undone, { files, lock, clock })))
      return;
    if (host.commits === undefined || !job.file.isCommitted) return;
    const services = { files, lock, clock, signer, commits: host.commits };
    for (const text of await new TaskCommits(job, services).settle()) {
      publisher.of({ kind: "job", name }).notice("warning", text);
    }
  }

  /** Does the same as {@link answerJob}, and throws a {@link UserError} if no job asks the question. */
  async answer(questionId: string, text: string): Promise<void> {
    const job = await answerJob(questionId, text, {
      ...this.services,
      signer: this.services.experts.signer,
    });
    if (job === undefined)
      throw new UserError("jobQuestionClosed", "No job asks {questionId} now.", { questionId });
    const { publisher } = this.services;
    publisher.of({ kind: "job", name: job.name }).publish({ type: "answered", questionId, text });
  }
}

/**
 * Orders all runners of a job, in all processes, to stop, and waits up to 30 seconds for them.
 * Returns how many there were, and how many are still at work.
 *
 * @param endsHere resolves when the runners of this process have ended
 */
export function stopJob(
  { stem }: Pick<Job, "stem">,
  { files, lock, clock, ids }: { files: FileSystem; lock: Lock; clock: Clock; ids: Ids },
  endsHere?: Promise<unknown>,
): Promise<Stopped> {
  const records = new RunnerRecords(files, lock, stem);
  const atWork = async () => (await records.alive()).length;
  return stopWork(jobStopName(stem), atWork, { files, clock, ids }, endsHere);
}
