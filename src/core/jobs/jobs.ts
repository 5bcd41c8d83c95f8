import { UserError } from "../errors.js";
import { WorkRegistry } from "../work/workRegistry.js";
import { answerJob } from "./answerJob.js";
import { fixedDocument, readJobDocument } from "./documents/jobDocument.js";
import { type Job, jobNamed, type NewJob, newJobFile, readJobs } from "./documents/jobFolder.js";
import { type JobOverview, jobOverview } from "./jobOverview.js";
import type { JobWorld } from "./jobWorld.js";
import { type JobEnd, type JobRun, outerLoop } from "./work/outerLoop.js";
import { RunnerRecords } from "./work/runnerRecords.js";
import { liveRunners } from "./work/runners.js";
import { stopJob } from "./work/stopJob.js";

/** The jobs that this process runs, and the user's actions on the jobs of any process. */
export class Jobs {
  readonly #running = new WorkRegistry();

  /** The jobs as they were read last. */
  #seen: readonly Job[] = [];

  readonly document = readJobDocument;
  readonly fixes = fixedDocument;

  constructor(private readonly world: JobWorld) {}

  /** Names of the jobs that this process runs. */
  get running(): ReadonlySet<string> {
    return new Set(this.#running.ids);
  }

  /**
   * Runs a job until it ends.
   *
   * @throws {UserError} if this process runs the job already
   */
  async run(run: JobRun): Promise<JobEnd> {
    if (this.#running.has(run.name)) throw new UserError(`The job ${run.name} runs already.`);
    return this.#running.run(run.name, (signal) => outerLoop(run, this.world, signal));
  }

  /** All jobs of the workspace, as their files and locks are now. */
  async overviews(): Promise<JobOverview[]> {
    const { files, lock, experts } = this.world;
    const now = experts.clock.now();
    this.#seen = await readJobs(files, this.#seen);
    const overviews = this.#seen.map(async (job) => {
      const live = await new RunnerRecords(files, lock, job.stem).alive();
      const holders = await liveRunners(job.log, lock);
      return jobOverview(job, { live, holders, isRun: this.#running.has(job.name) }, now);
    });
    return Promise.all(overviews);
  }

  /** Does the same as {@link newJobFile}. */
  create(job: NewJob): Promise<string> {
    return newJobFile(this.world.files, job);
  }

  /** Ends a job's turns in all processes. Returns how many runners are still at work. */
  async stop(name: string, signal: AbortSignal): Promise<number> {
    const { files, lock, experts } = this.world;
    const { clock, ids } = experts;
    void this.#running.stop(name, new UserError("Stopped by the user"));
    const job = await jobNamed(name, files);
    return (await stopJob(job, { files, lock, clock, ids }, signal)).left;
  }

  /** Ends all jobs that this process runs, before the process itself ends. */
  async stopOwn(why = "Stopped by the user"): Promise<void> {
    await this.#running.stopAll(new UserError(why));
  }

  /** Does the same as {@link answerJob}, and throws a {@link UserError} if no job asks the question. */
  async answer(questionId: string, text: string): Promise<void> {
    const job = await answerJob(questionId, text, this.world);
    if (job === undefined) throw new UserError(`No job asks ${questionId}, or not any more.`);
    const { publisher } = this.world;
    publisher.of({ kind: "job", name: job.name }).publish({ type: "answered", questionId, text });
  }
}
