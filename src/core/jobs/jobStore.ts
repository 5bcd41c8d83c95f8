import { digest } from "../digest.js";
import { encodeLossless } from "../documents/losslessText.js";
import { UserError } from "../errors.js";
import type { FileSystem, Lock } from "../ports.js";
import { CannotEdit } from "./cannotEdit.js";
import type { JobFile } from "./jobFile.js";
import { type Job, readJob } from "./jobFolder.js";
import { type JobLog, readJobLog } from "./jobLog.js";
import { jobPlace, plainName } from "./jobPlace.js";
import { rebuildJobLog } from "./rebuildJobLog.js";

/** Times that somebody who edits by hand may come between a look and its write. */
const attempts = 20;

/** Looks at a log that is there and empty: an editor that saves it in place has emptied it for a moment. */
const looksAtEmpty = 10;

/** A log that nobody has written yet: its planner gives it a title (R-JIXO-18). */
const newLog = '---\ntitle: "_待定_"\nprogress: "0%"\n---\n\n## Roadmap\n\n## Work Log\n';

/** The files of one job, changed by operations on what they say now, alone among all processes. */
export class JobStore {
  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly job: Job,
    /** Told where a log is kept that had to be written anew (R-JIXO-31). */
    private readonly onRebuilt: (keptAt: string) => void = () => undefined,
  ) {}

  /** Held by the one who plans: two plans at a time would both be written. */
  get plannerLock(): string {
    return lockName("job-planner", this.job.stem);
  }

  /**
   * Reads, lets `decide` say what the log becomes, and writes it at once; all over again where
   * somebody wrote in between (R-JIXO-17, R-JIXO-21). For moments: the log is locked meanwhile.
   */
  changeLog<T>(
    decide: (job: Job) => Promise<{ readonly log: JobLog; readonly result: T }>,
  ): Promise<T> {
    let looks = 0;
    return this.#alone(async () => {
      const found = await readJob(this.files, this.job);
      const before = found.log.lines.text;
      const isEmpty = before === "" && (await this.files.stat(found.logPath)) !== undefined;
      if (isEmpty && ++looks < looksAtEmpty) return undefined;
      const job = before === "" ? { ...found, log: readJobLog(newLog) } : found;
      const { log, result, keptAt } = await this.#decide(decide, job);
      if (log.lines.text === job.log.lines.text) {
        // Nor is anything decided on what was there only while somebody saved.
        const again = await readJob(this.files, this.job);
        return again.log.lines.text === before ? { result } : undefined;
      }
      if (!(await this.#replace(job.logPath, before, log.lines.text))) return undefined;
      if (keptAt !== undefined) this.onRebuilt(keptAt);
      return { result };
    });
  }

  /** On the log as it is; where its form takes no edits, on one that says the same in the usual form. */
  async #decide<T>(
    decide: (job: Job) => Promise<{ readonly log: JobLog; readonly result: T }>,
    job: Job,
  ): Promise<{ log: JobLog; result: T; keptAt?: string }> {
    try {
      return await decide(job);
    } catch (error) {
      if (!(error instanceof CannotEdit)) throw error;
      const decided = await decide({ ...job, log: rebuildJobLog(job.log) });
      const { text } = job.log.lines;
      const keptAt = `${jobPlace(job.stem)}/logs/${digest(text)}.log.md`;
      await this.files.createFile(keptAt, encodeLossless(text));
      return { ...decided, keptAt };
    }
  }

  /** As {@link changeLog}, of the file in which people say what they want. */
  changeFile(change: (file: JobFile, log: JobLog) => JobFile): Promise<void> {
    return this.#alone(async () => {
      const { jobPath, file, log } = await readJob(this.files, this.job);
      const after = change(file, log).lines.text;
      if (after === file.lines.text) return { result: undefined };
      const isWritten = await this.#replace(jobPath, file.lines.text, after);
      return isWritten ? { result: undefined } : undefined;
    });
  }

  #alone<T>(attempt: () => Promise<{ result: T } | undefined>): Promise<T> {
    return this.lock.exclusively(lockName("job-log", this.job.stem), async () => {
      for (let times = 0; times < attempts; times++) {
        const done = await attempt();
        if (done !== undefined) return done.result;
      }
      throw new UserError(
        `${this.job.logPath} changes all the time. Try again when it is at rest.`,
      );
    });
  }

  async #replace(path: string, before: string, after: string): Promise<boolean> {
    const content = encodeLossless(after);
    if (before === "" && (await this.files.createFile(path, content))) return true;
    return this.files.replaceFile(path, content, { expected: encodeLossless(before) });
  }
}

function lockName(kind: string, stem: string): string {
  return `${kind}-${plainName(stem)}`;
}
