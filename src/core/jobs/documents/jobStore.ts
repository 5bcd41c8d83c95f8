import { CannotEdit } from "../../documents/editDocument.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import { digest } from "../../text/digest.js";
import { encodeLossless } from "../../text/losslessText.js";
import { LockedDocument } from "../../work/lockedDocument.js";
import type { JobFile } from "./jobFile.js";
import { type Job, jobOf } from "./jobFolder.js";
import type { JobLog } from "./jobLog.js";
import { jobPlace, plainName } from "./jobNames.js";
import { rebuildJobLog } from "./rebuildJobLog.js";

/** The most times that an empty log is read again: an editor that saves in place empties it for a moment. */
const looksAtEmpty = 10;

/** The log of a new job: the planner gives it a title (R-JIXO-18). */
const newLog = '---\ntitle: "_待定_"\nprogress: "0%"\n---\n\n## Roadmap\n\n## Work Log\n';

/**
 * Changes the files of one job, always starting from their present text, and locked against other processes.
 */
export class JobStore {
  readonly #file: LockedDocument;
  readonly #log: LockedDocument;

  constructor(
    private readonly files: FileSystem,
    lock: Lock,
    private readonly job: Job,
    /** Called with the path of the old log's copy when a log had to be rebuilt (R-JIXO-31). */
    private readonly onRebuilt: (keptAt: string) => void = () => undefined,
  ) {
    const name = lockName("job-log", job.stem);
    this.#file = new LockedDocument(files, lock, { path: job.jobPath, lock: name });
    this.#log = new LockedDocument(files, lock, { path: job.logPath, lock: name });
  }

  /** The name of the lock that the planner holds, so that two plans are never made at a time. */
  get plannerLock(): string {
    return lockName("job-planner", this.job.stem);
  }

  /**
   * Lets `decide` return the new log, and writes it; see {@link LockedDocument.change} (R-JIXO-17,
   * R-JIXO-21).
   */
  async changeLog<T>(
    decide: (job: Job) => Promise<{ readonly log: JobLog; readonly result: T }>,
  ): Promise<T> {
    let looks = 0;
    const decided = await this.#log.change(async (text) => {
      const isEmpty = text === "" && (await this.files.stat(this.job.logPath)) !== undefined;
      if (isEmpty && ++looks < looksAtEmpty) return undefined;
      const job = jobOf(this.job, {
        file: await this.#file.text(),
        log: text === "" ? newLog : text,
      });
      const result = await this.#decide(decide, job);
      const after = result.log.lines.text;
      // If nothing changes, a log that does not exist yet is not created either.
      return { text: after === job.log.lines.text ? text : after, result };
    });
    if (decided.keptAt !== undefined) this.onRebuilt(decided.keptAt);
    return decided.result;
  }

  /**
   * Calls `decide` with the log as it is, or, if that cannot be edited, with a rebuilt log of the same
   * content.
   */
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

  /** Does the same as {@link changeLog} for the job file. */
  changeFile(change: (file: JobFile, log: JobLog) => JobFile): Promise<void> {
    return this.#file.change(async (text) => {
      const { file, log } = jobOf(this.job, { file: text, log: await this.#log.text() });
      return { text: change(file, log).lines.text, result: undefined };
    });
  }
}

function lockName(kind: string, stem: string): string {
  return `${kind}-${plainName(stem)}`;
}
