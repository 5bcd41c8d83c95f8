import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { toJsonLine } from "../../documents/jsonLines.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock, LockHolder } from "../../ports/locks.js";
import { jobPlace, runnerLock } from "../documents/jobNames.js";
import { roles } from "../documents/workLog.js";

const schema = z.object({
  /** The runner's name, as in the log. */
  runner: z.string(),
  taskId: z.string().regex(/^ROO#JOB_\w+$/),
  role: z.enum(roles),
  objective: z.string(),
  /** The id of the roadmap's task that the runner has locked; `null` for a planner. */
  task: z.string().nullable(),
  /** The number of requests to the model so far. */
  turn: z.number(),
  quota: z.number(),
  /** The lifecycle's start, in ISO 8601. */
  since: z.string(),
});

/** The state that a live runner publishes about itself. */
export type RunnerRecord = z.infer<typeof schema>;

export interface LiveRunner extends RunnerRecord {
  readonly holder: LockHolder;
}

/**
 * The runners of a job that are at work now, in all processes. Each has a record in a file, which is valid
 * while the runner's lock is held. No decision depends on a record; it informs people and other runners.
 */
export class RunnerRecords {
  private readonly folder: string;

  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    stem: string,
  ) {
    this.folder = `${jobPlace(stem)}/runners`;
  }

  async put(record: RunnerRecord): Promise<void> {
    await this.files.replaceFile(this.path(record.runner), toJsonLine(record));
  }

  async remove(runner: string): Promise<void> {
    await this.files.removeFile(this.path(runner));
  }

  /** Returns the records of live runners, in the order in which they began. */
  async alive(): Promise<LiveRunner[]> {
    const records = await this.all();
    const found = await Promise.all(records.map((record) => this.withHolder(record)));
    return found
      .filter((one) => one !== undefined)
      .sort((a, b) => a.since.localeCompare(b.since) || a.runner.localeCompare(b.runner));
  }

  /** Removes the records and lock files of dead runners. */
  async reap(): Promise<void> {
    for (const record of await this.all()) {
      const own = await this.lock.tryHold(runnerLock(record.runner) ?? "");
      if (!("held" in own)) continue;
      await this.remove(record.runner);
      await own.held.release();
    }
  }

  private async withHolder(record: RunnerRecord): Promise<LiveRunner | undefined> {
    const holder = await this.lock.holder(runnerLock(record.runner) ?? "");
    return holder && { ...record, holder };
  }

  /** Returns the valid records; ignores other files. */
  private async all(): Promise<RunnerRecord[]> {
    const entries = await this.files.readDirectory(this.folder);
    const records = entries.map(async ({ name }) => {
      const path = `${this.folder}/${name}`;
      const bytes = await readOwnDocument(path, this.files).catch(notRead);
      const json = parseJson(new TextDecoder().decode(bytes));
      const record = schema.safeParse(json.ok ? json.value : undefined);
      const isRecord = record.success && this.path(record.data.runner) === path;
      return isRecord ? record.data : undefined;
    });
    return (await Promise.all(records)).filter((record) => record !== undefined);
  }

  private path(runner: string): string {
    return `${this.folder}/${runnerLock(runner) ?? ""}.json`;
  }
}

/** Keeps a runner's own record up to date. */
export class Heartbeat {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private record: RunnerRecord,
    private readonly records: RunnerRecords,
  ) {}

  put(): Promise<void> {
    return this.next(() => this.records.put(this.record));
  }

  /** Counts one turn, without waiting for the write: nothing depends on it. */
  countTurn(): void {
    this.record = { ...this.record, turn: this.record.turn + 1 };
    void this.put();
  }

  remove(): Promise<void> {
    return this.next(() => this.records.remove(this.record.runner));
  }

  /** Writes in the order of the calls. Ignores errors: if the disk fails, writing the log reports it. */
  private next(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work).catch(() => undefined);
    this.last = done;
    return done;
  }
}

function notRead(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}
