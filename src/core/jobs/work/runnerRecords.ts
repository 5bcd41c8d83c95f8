import * as z from "zod";
import { toJsonLine } from "../../documents/jsonLines.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { FileSystem, Lock, LockHolder } from "../../ports.js";
import { readOwnDocument } from "../../access/namedFile.js";
import { jobPlace } from "../documents/jobPlace.js";
import { runnerLock } from "./runners.js";
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
  /** When the lifecycle began, ISO 8601. */
  since: z.string(),
});

/** The state that a live runner publishes about itself. */
export type RunnerRecord = z.infer<typeof schema>;

export interface LiveRunner extends RunnerRecord {
  readonly holder: LockHolder;
}

/**
 * The runners of a job that are at work now, in all processes. Each has a card in a file, which is valid
 * while the runner's lock is held. No decision depends on a card; it informs people and other runners.
 */
export class RunnerRecords {
  private readonly folder: string;
  /** The folder of the cards of interrupted runners, kept until the task has been done by another one. */
  private readonly cutOffFolder: string;

  constructor(
    private readonly files: FileSystem,
    private readonly lock: Lock,
    stem: string,
  ) {
    this.folder = `${jobPlace(stem)}/runners`;
    this.cutOffFolder = `${jobPlace(stem)}/cutOff`;
  }

  async put(card: RunnerRecord): Promise<void> {
    await this.files.replaceFile(this.path(card.runner), toJsonLine(card));
  }

  async remove(runner: string): Promise<void> {
    await this.files.removeFile(this.path(runner));
  }

  /** Returns the cards of live runners, in the order in which they began. */
  async alive(): Promise<LiveRunner[]> {
    const cards = await this.all(this.folder);
    const found = await Promise.all(cards.map((card) => this.withHolder(card)));
    return found
      .filter((one) => one !== undefined)
      .sort((a, b) => a.since.localeCompare(b.since) || a.runner.localeCompare(b.runner));
  }

  /**
   * Removes the cards and lock files of dead runners. The card of a runner that was interrupted during a task
   * is kept in another folder.
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

  /**
   * Returns the ids, `ROO#JOB_…`, of the lifecycles that were interrupted during a task that has not been
   * done since.
   */
  async cutOff(task: string): Promise<string[]> {
    const cards = await this.all(this.cutOffFolder);
    return cards.filter((card) => card.task === task).map(({ taskId }) => taskId);
  }

  /** Removes the cards of interrupted runners of a task whose result is now in the log. */
  async forget(task: string): Promise<void> {
    for (const card of await this.all(this.cutOffFolder)) {
      if (card.task !== task) continue;
      await this.files.removeFile(this.path(card.runner, this.cutOffFolder));
    }
  }

  private async withHolder(card: RunnerRecord): Promise<LiveRunner | undefined> {
    const holder = await this.lock.holder(runnerLock(card.runner) ?? "");
    return holder && { ...card, holder };
  }

  /** Returns the valid cards in a folder; ignores other files. */
  private async all(folder: string): Promise<RunnerRecord[]> {
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
