import * as z from "zod";
import { readOwnDocument } from "../access/namedFile.js";
import { parseJson } from "../documents/parseJson.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import type { Signer } from "../ports/system.js";
import { commitName, teamName } from "../ports/teamQueue.js";
import { isSigned, signJson } from "../provenance/signedJson.js";

const folder = ".rooroo/sent";
const commit = z.string().regex(commitName);

const sentPlan = z.object({
  schema: z.literal(1),
  planId: z.string(),
  /** The repository's name in the team, and the name of the remote here. */
  repository: z.string().regex(teamName),
  remote: z.string(),
  /** In order. */
  tasks: z.array(z.object({ id: z.string(), labels: z.array(z.string().regex(teamName)) })),
  /** The commit of the files as they were when the plan was sent. */
  base: commit,
  /** The team commit that follows it. */
  begin: commit,
  /**
   * `sending`: it is pushed, and may be in the team's queue. `received`: its result is in a worktree here, or nothing of it
   * is wanted. `forgotten`: nothing of it is on the remote any more.
   */
  phase: z.enum(["sending", "sent", "received", "forgotten"]),
});
export type SentPlan = Omit<z.infer<typeof sentPlan>, "schema">;

/** Returns whether others work on the plan, or what came of it is not here yet. */
export function isAway({ phase }: SentPlan): boolean {
  return phase === "sending" || phase === "sent";
}

/** The records of plans that were sent to a team, signed. One that this installation did not write is not read. */
export class SentPlans {
  constructor(
    private readonly files: FileSystem,
    private readonly signer: Signer,
  ) {}

  async read(planId: string): Promise<SentPlan | undefined> {
    return (await this.all()).find((plan) => plan.planId === planId);
  }

  async all(): Promise<SentPlan[]> {
    const found: SentPlan[] = [];
    for (const { name } of await this.files.readDirectory(folder)) {
      if (!name.endsWith(".json")) continue;
      const path = `${folder}/${name}`;
      const bytes = await readOwnDocument(path, this.files);
      const text = new TextDecoder().decode(bytes);
      if (bytes === undefined || !isSigned(text, path, this.signer)) continue;
      const json = parseJson(text);
      const parsed = sentPlan.safeParse(json.ok ? json.value : undefined);
      if (!parsed.success) {
        throw new UserError(
          "sentPlanInvalid",
          "{path} cannot be read, so it is not known what was sent. Put its backup there, or remove it.",
          { path },
        );
      }
      found.push(parsed.data);
    }
    return found;
  }

  async write(plan: SentPlan): Promise<void> {
    const path = `${folder}/${plan.planId.replaceAll(/[^A-Za-z0-9_-]/g, "-")}.json`;
    const text = `${JSON.stringify({ schema: 1, ...plan }, undefined, 2)}\n`;
    await this.files.createFile(`${folder}/.gitignore`, "*\n");
    await this.files.replaceFile(path, signJson(text, path, this.signer));
  }
}
