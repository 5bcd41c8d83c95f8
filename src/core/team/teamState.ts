import * as z from "zod";
import { parseJson } from "../documents/parseJson.js";
import type { Signer } from "../ports/system.js";
import { isSigned, signJson } from "../provenance/signedJson.js";

/** The file, beside the tasks' folders, that says what a team commit is. */
export const teamStateFile = "team.json";

const teamState = z.object({
  schema: z.literal(1),
  plan: z.string(),
  /** The task that was at work; `null`: none yet. */
  task: z.string().nullable(),
  attempt: z.int(),
  /** The full name of the tree of the project's files. */
  files: z.string(),
  /** The full name of the tree of the tasks' folders; `null`: there is none. */
  tasks: z.string().nullable(),
});
export type TeamState = Omit<z.infer<typeof teamState>, "schema">;

export function formatTeamState(state: TeamState, signer: Signer): string {
  const text = `${JSON.stringify({ schema: 1, ...state }, undefined, 2)}\n`;
  return signJson(text, teamStateFile, signer);
}

/** Returns what a commit says of itself; `undefined` if the team key has not signed it. */
export function readTeamState(text: string, signer: Signer): TeamState | undefined {
  if (!isSigned(text, teamStateFile, signer)) return undefined;
  const json = parseJson(text);
  const parsed = teamState.safeParse(json.ok ? json.value : undefined);
  return parsed.success ? parsed.data : undefined;
}
