import * as z from "zod";
import { readOwnDocument } from "../../access/namedFile.js";
import { newerSchema } from "../../documents/newerSchema.js";
import { parseJson } from "../../documents/parseJson.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";
import type { Clock, Signer } from "../../ports/system.js";
import { isSigned, signJson } from "../../provenance/signedJson.js";
import { worktreeRecord, worktreesFolder } from "./worktreeRecord.js";

const planWorktree = z.object({
  schema: z.literal(1),
  planId: z.string(),
  /** What works there if that is no plan, as in `Task 1. Home of the job french`. */
  about: z.string().optional(),
  /** A small number that no other open plan has, for what plans must not share, such as ports. */
  number: z.number().int().positive(),
  /**
   * `asked`: the worktree is made before the plan's first task begins, anew until it is `ready`. `landing`: its files are
   * being written into the user's folder. `landed` and `discarded`: it is removed, or was.
   */
  phase: z.enum(["asked", "ready", "landing", "landed", "discarded"]),
  /** The commit that the worktree was made from, and the absolute path of the tasks' folder. */
  made: z.object({ base: z.string(), root: z.string(), bytes: z.number() }).optional(),
  /** What is being written into the worktree; that has to be completed before anything else is done with it. */
  updating: z
    .object({
      base: z.string(),
      from: z.string(),
      to: z.string(),
      conflicts: z.array(z.string()).readonly(),
    })
    .optional(),
  /** The conflicts that were foreseen after the last task. */
  conflicts: z
    .array(z.object({ with: z.string().nullable(), paths: z.array(z.string()) }))
    .optional(),
  at: z.string(),
});
export type PlanWorktree = Omit<z.infer<typeof planWorktree>, "schema" | "at">;

/**
 * The records of the plans that work in worktrees, signed, because commands run where they say. A record that this
 * installation did not write is read as absent: its plan has no worktree here.
 */
export class PlanWorktreeStore {
  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly signer: Signer,
  ) {}

  async read(planId: string): Promise<PlanWorktree | undefined> {
    const found = await this.#read(worktreeRecord(planId));
    return found?.planId === planId ? found : undefined;
  }

  /** Returns all records, in the order of their plans' ids. */
  async all(): Promise<PlanWorktree[]> {
    const found: PlanWorktree[] = [];
    for (const { name } of await this.files.readDirectory(worktreesFolder)) {
      if (!name.endsWith(".json")) continue;
      const record = await this.#read(`${worktreesFolder}/${name}`);
      if (record !== undefined) found.push(record);
    }
    return found;
  }

  async write(record: PlanWorktree): Promise<void> {
    const path = worktreeRecord(record.planId);
    const value = { schema: 1, ...record, at: this.clock.now().toISOString() };
    const text = signJson(`${JSON.stringify(value, undefined, 2)}\n`, path, this.signer);
    await this.files.createFile(`${worktreesFolder}/.gitignore`, "*\n");
    await this.files.replaceFile(path, text);
  }

  async #read(path: string): Promise<PlanWorktree | undefined> {
    const bytes = await readOwnDocument(path, this.files);
    if (bytes === undefined) return undefined;
    const text = new TextDecoder().decode(bytes);
    if (!isSigned(text, path, this.signer)) return undefined;
    const json = parseJson(text);
    const newer = json.ok ? newerSchema(json.value, path) : undefined;
    if (newer !== undefined) throw newer;
    const parsed = planWorktree.safeParse(json.ok ? json.value : undefined);
    if (parsed.success) return parsed.data;
    throw new UserError(
      "worktreeRecordInvalid",
      "{path} cannot be read, so it is not known where its plan works. Put its backup there, or remove it to give the worktree up.",
      { path },
    );
  }
}
