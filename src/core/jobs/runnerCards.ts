import * as z from "zod";
import { toJsonLine } from "../documents/jsonLines.js";
import { parseJson } from "../documents/parseJson.js";
import { UserError } from "../errors.js";
import type { FileSystem, Lock, LockHolder } from "../ports.js";
import { readOwnDocument } from "../tools/namedFile.js";
import { jobPlace } from "./jobPlace.js";
import { runnerLock } from "./runners.js";
import { roles } from "./workLog.js";

const schema = z.object({
  /** As the log names it. */
  runner: z.string(),
  taskId: z.string().regex(/^ROO#JOB_\w+$/),
  role: z.enum(roles),
  objective: z.string(),
  /** Of the roadmap: the id of the one that it has locked; `null` for a planner. */
  task: z.string().nullable(),
  /** Requests to the model so far. */
  turn: z.number(),
  quota: z.number(),
  /** ISO 8601. */
  since: z.string(),
});

/** What a runner says of itself while it lives, for whoever looks at the job. */
export type RunnerCard = z.infer<typeof schema>;

export interface LiveRunner extends RunnerCard {
  readonly holder: LockHolder;
}

/**
 * The runners of a job that are at work now, in all processes: a card each, in a file, which counts
 * while the runner's lock is held. Nothing is decided by a card; it is for people, and for other
 * runners to know of.
 */
export class RunnerCards {
  private readonly folder: string;
  /** Of those that were cut off at a task, until somebody else has done with it. */
  private readonly cutOffFolder: string;

  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    stem: string,
  ) {
    this.folder = `${jobPlace(stem)}/runners`;
    this.cutOffFolder = `${jobPlace(stem)}/cutOff`;
  }

  async put(card: RunnerCard): Promise<void> {
    await this.files.replaceFile(this.path(card.runner), toJsonLine(card));
  }

  async remove(runner: string): Promise<void> {
    await this.files.removeFile(this.path(runner));
  }

  /** Those that are alive, by the time at which they began. */
  async alive(): Promise<LiveRunner[]> {
    const cards = await this.all(this.folder);
    const found = await Promise.all(cards.map((card) => this.withHolder(card)));
    return found
      .filter((one) => one !== undefined)
      .sort((a, b) => a.since.localeCompare(b.since) || a.runner.localeCompare(b.runner));
  }

  /**
   * Takes away what the dead have left: their cards, and the files of their locks. Who was cut off at a
   * task is remembered.
   */
  async bury(): Promise<void> {
    for (const card of await this.all(this.folder)) {
      const own = await this.lock.tryHold(runnerLock(card.runner) ?? "");
      if (!("held" in own)) continue;
      if (card.task !== null) {
        await this.files.replaceFile(this.path(card.runner, this.cutOffFolder), toJsonLine(card));
      }
      await this.remove(card.runner);
      await own.held.release();
    }
  }

  /** Ids of the units of work, `ROO#JOB_…`, that were cut off at a task that nobody has done since. */
  async cutOff(task: string): Promise<string[]> {
    const cards = await this.all(this.cutOffFolder);
    return cards.filter((card) => card.task === task).map(({ taskId }) => taskId);
  }

  /** The task is in the log with what became of it. */
  async forget(task: string): Promise<void> {
    for (const card of await this.all(this.cutOffFolder)) {
      if (card.task !== task) continue;
      await this.files.removeFile(this.path(card.runner, this.cutOffFolder));
    }
  }

  private async withHolder(card: RunnerCard): Promise<LiveRunner | undefined> {
    const holder = await this.lock.holder(runnerLock(card.runner) ?? "");
    return holder && { ...card, holder };
  }

  /** Files that are no cards are nobody's. */
  private async all(folder: string): Promise<RunnerCard[]> {
    const entries = await this.files.readDirectory(folder);
    const cards = entries.map(async ({ name }) => {
      const path = `${folder}/${name}`;
      const bytes = await readOwnDocument(path, this.files).catch(notRead);
      const json = parseJson(new TextDecoder().decode(bytes));
      const card = schema.safeParse(json.ok ? json.value : undefined);
      const isCard = card.success && this.path(card.data.runner, folder) === path;
      return isCard ? card.data : undefined;
    });
    return (await Promise.all(cards)).filter((card) => card !== undefined);
  }

  private path(runner: string, folder = this.folder): string {
    return `${folder}/${runnerLock(runner) ?? ""}.json`;
  }
}

function notRead(error: unknown): undefined {
  if (!(error instanceof UserError)) throw error;
}
