import { UserError } from "../errors.js";
import { answerJob } from "./answerJob.js";
import { fixedDocument, readJobDocument } from "./jobDocument.js";
import { type Job, jobNamed, type NewJob, newJobFile, readJobs } from "./jobFolder.js";
import { type JobOverview, jobOverview } from "./jobOverview.js";
import type { JobWorld } from "./jobWorld.js";
import { type JobEnd, type JobRun, outerLoop } from "./outerLoop.js";
import { RunnerCards } from "./runnerCards.js";
import { liveRunners } from "./runners.js";
import { stopJob } from "./stopJob.js";

/** The jobs that this process runs, and what people do with those that anybody runs. */
export class Jobs {
  readonly #running = new Map<
    string,
    { readonly stop: AbortController; ended: Promise<unknown> }
  >();

  /** When they were last looked at. */
  #seen: readonly Job[] = [];

  readonly document = readJobDocument;
  readonly fixes = fixedDocument;

  constructor(private readonly world: JobWorld) {}

  /** Names of those that this process runs. */
  get running(): ReadonlySet<string> {
    return new Set(this.#running.keys());
  }

  /** Runs a job until something ends that. Throws a {@link UserError} while this process runs it already. */
  async run(run: JobRun): Promise<JobEnd> {
    if (this.#running.has(run.name)) throw new UserError(`The job ${run.name} runs already.`);
    const stop = new AbortController();
    const ended = outerLoop(run, this.world, stop.signal);
    this.#running.set(run.name, { stop, ended });
    try {
      return await ended;
    } finally {
      this.#running.delete(run.name);
    }
  }

  /** All jobs of the workspace, as their files and locks are now. */
  async overviews(): Promise<JobOverview[]> {
    const { files, lock, experts } = this.world;
    const now = experts.clock.now();
    this.#seen = await readJobs(files, this.#seen);
    const overviews = this.#seen.map(async (job) => {
      const live = await new RunnerCards(files, lock, job.stem).alive();
      const holders = await liveRunners(job.log, lock);
      return jobOverview(job, { live, holders, isRun: this.#running.has(job.name) }, now);
    });
    return Promise.all(overviews);
  }

  /** As {@link newJobFile}. */
  create(job: NewJob): Promise<string> {
    return newJobFile(this.world.files, job);
  }

  /** Ends a job's turns in all processes; answers with how many runners are at work still. */
  async stop(name: string, signal: AbortSignal): Promise<number> {
    const { files, lock, experts } = this.world;
    const { clock, ids } = experts;
    this.#running.get(name)?.stop.abort(new UserError("Stopped by the user"));
    const job = await jobNamed(name, files);
    return (await stopJob(job, { files, lock, clock, ids }, signal)).left;
  }

  /** Ends what this process runs, for one that is about to end itself. */
  async stopOwn(why = "Stopped by the user"): Promise<void> {
    const all = [...this.#running.values()];
    for (const { stop } of all) stop.abort(new UserError(why));
    await Promise.allSettled(all.map(({ ended }) => ended));
  }

  /** As {@link answerJob}; throws a {@link UserError} where no job asks it, too. */
  async answer(questionId: string, text: string): Promise<void> {
    const job = await answerJob(questionId, text, this.world);
    if (job === undefined) throw new UserError(`No job asks ${questionId}, or not any more.`);
    this.world.tell({ job: job.name, type: "answered", id: questionId, text });
  }
}
