import { encodeLossless } from "../documents/losslessText.js";
import { UserError } from "../errors.js";
import type { FileSystem, Lock } from "../ports.js";
import type { JobFile } from "./jobFile.js";
import { type Job, readJob } from "./jobFolder.js";
import { type JobLog, readJobLog } from "./jobLog.js";

/** Times that somebody who edits by hand may come between a look and its write. */
const attempts = 20;

/** A log that nobody has written yet: its planner gives it a title (R-JIXO-18). */
const newLog = '---\ntitle: "_待定_"\nprogress: "0%"\n---\n\n## Roadmap\n\n## Work Log\n';

/** The files of one job, changed by operations on what they say now, alone among all processes. */
export class JobStore {
  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    private readonly job: Job,
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
    return this.#alone(async () => {
      const found = await readJob(this.files, this.job);
      const before = found.log.lines.text;
      const job = before === "" ? { ...found, log: readJobLog(newLog) } : found;
      const { log, result } = await decide(job);
      if (log.lines.text === job.log.lines.text) return { result };
      const isWritten = await this.#replace(job.logPath, before, log.lines.text);
      return isWritten ? { result } : undefined;
    });
  }

  /** As {@link changeLog}, of the file in which people say what they want. */
  changeFile(change: (file: JobFile) => JobFile): Promise<void> {
    return this.#alone(async () => {
      const { jobPath, file } = await readJob(this.files, this.job);
      const after = change(file).lines.text;
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

/** Two jobs whose locks have one name would only wait for one another. */
function lockName(kind: string, stem: string): string {
  const plain = stem.replace(/[^\w-]/g, (char) => `_${char.charCodeAt(0).toString(16)}`);
  return `${kind}-${plain.slice(0, 120)}`;
}
