import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { CannotEdit } from "../../documents/editDocument.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import type { Lock } from "../../ports/locks.js";
import type { Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { askInJobFile, type JobFile, withDecision, withoutAnswered } from "./jobFile.js";
import type { JobLog } from "./jobLog.js";
import { jobPlace, runnerLock } from "./jobNames.js";
import type { JobStore } from "./jobStore.js";
import { reasonOf } from "./workLog.js";

const schema = z.object({
  runner: z.string(),
  /** The time of the entry that must be in the log before the change is made. */
  time: z.string(),
  objective: z.string(),
  /** Ids of the questions whose answers were worked in. */
  answered: z.array(z.string()),
  asked: z
    .object({
      id: z.string(),
      toUser: z.string(),
      question: z.string(),
      placeholder: z.string(),
    })
    .optional(),
});

/** The change of the job file that follows a lifecycle's entry in the log (R-JIXO-23, R-JIXO-24). */
export type FileChange = z.infer<typeof schema>;

/**
 * Keeps pending changes of job files. Log and job file cannot be written at once, so the change of the job
 * file is recorded and signed before the log is written. A change that this installation did not record is
 * not made.
 */
export class FileChanges {
  private readonly folder: string;

  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
    private readonly lock: Lock,
    private readonly store: JobStore,
    stem: string,
  ) {
    this.folder = `${jobPlace(stem)}/changes`;
  }

  async prepare(change: FileChange): Promise<void> {
    const path = this.path(change.runner);
    const text = signJson(`${JSON.stringify(change)}\n`, path, this.signer);
    await this.files.replaceFile(path, text);
  }

  /**
   * Makes the change, if its entry is in the log. Returns why the file cannot take it, if so.
   *
   * @throws {UserError} if the file cannot be written now; the change is then left to {@link settle}
   */
  async finish(change: FileChange): Promise<string | undefined> {
    let problem: string | undefined;
    await this.store.changeFile((file, log) => {
      problem = undefined;
      if (!counts(change, log)) return file;
      try {
        return withChange(file, change);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
        problem = error.message;
        return file;
      }
    });
    await this.files.removeFile(this.path(change.runner));
    return problem;
  }

  /** Finishes the pending changes of runners that were killed, as far as they can be written now. */
  async settle(): Promise<void> {
    for (const { name } of await this.files.readDirectory(this.folder)) {
      const text = await this.text(`${this.folder}/${name}`);
      if (!isSigned(text, `${this.folder}/${name}`, this.signer)) continue;
      const json = parseJson(text);
      const change = schema.safeParse(json.ok ? json.value : undefined).data;
      if (change === undefined || this.path(change.runner) !== `${this.folder}/${name}`) continue;
      if ((await this.lock.holder(runnerLock(change.runner) ?? "")) !== undefined) continue;
      try {
        await this.finish(change);
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
      }
    }
  }

  /** Returns `""` for anything that is not a regular file of the workspace, such as a link or a folder. */
  private async text(path: string): Promise<string> {
    try {
      return new TextDecoder().decode(await readOwnDocument(path, this.files));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return "";
    }
  }

  private path(runner: string): string {
    return `${this.folder}/${runnerLock(runner) ?? ""}.json`;
  }
}

/** Returns whether the log has the entry of the change, with the lifecycle's edits made. */
function counts({ time, objective }: FileChange, { entries }: JobLog): boolean {
  return entries.some((entry) => {
    const isIt = entry.heading?.time === time && entry.fields.get("objective")?.value === objective;
    return isIt && reasonOf(entry) !== "outdated";
  });
}

/**
 * Returns the changed job file. Making the change twice has no further effect.
 *
 * @throws {UserError} if the file cannot take it
 */
export function withChange(file: JobFile, { answered, asked }: FileChange): JobFile {
  const rest = answered.reduce((before, id) => {
    const found = before.clarifications.find((one) => one.id === id);
    if (found?.answer === undefined) return before;
    const { question, answer } = found;
    return decidedIn(withoutAnswered(before, id), { question, answer });
  }, file);
  const isThere = rest.clarifications.some(({ id }) => id === asked?.id);
  return asked === undefined || isThere ? rest : askInJobFile(rest, asked);
}

/** Keeps a decision in the file, if it can; the log has it in any case. */
function decidedIn(file: JobFile, decision: { question: string; answer: string }): JobFile {
  try {
    return withDecision(file, decision);
  } catch (error) {
    if (!(error instanceof CannotEdit)) throw error;
    return file;
  }
}
