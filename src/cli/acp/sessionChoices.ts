import * as z from "zod/mini";
import { approvalPresets } from "../../core/approvals/approvalRules.js";
import {
  choicesPath,
  conversationIdPattern,
} from "../../core/conversation/store/conversationFile.js";
import { parseJson } from "../../core/documents/parseJson.js";
import type { ConversationId } from "../../core/ids.js";
import { isSigned, signJson } from "../../core/provenance/signedJson.js";
import type { LocalServices } from "../../runtime/localServices.js";

/** What a client has chosen for a session. What is absent is as the process was started with. */
const sessionChoices = z.object({
  /** The id of the request mode, which says what requests become. */
  mode: z.string(),
  /** The name of a model's profile; empty for none. */
  model: z.optional(z.string()),
  approvals: z.optional(z.enum(approvalPresets)),
});
export type SessionChoices = z.infer<typeof sessionChoices>;

/** The most bytes of the file. */
const longest = 10_000;

type Place = Pick<LocalServices, "files" | "signer">;

/** Keeps what was chosen, so that a process that goes on with the session has it. */
export async function keepChoices(
  id: ConversationId,
  choices: SessionChoices,
  { files, signer }: Place,
): Promise<void> {
  const path = choicesPath(id);
  const json = `${JSON.stringify(choices, null, 2)}\n`;
  await files.replaceFile(path, signJson(json, path, signer));
}

/**
 * Returns what was chosen; `undefined` if nothing is kept. A file that was not written by this installation, or that cannot
 * be read, is `lost`: somebody has chosen, and nobody knows what.
 */
export async function keptChoices(
  id: ConversationId,
  { files, signer }: Place,
): Promise<SessionChoices | "lost" | undefined> {
  if (!conversationIdPattern.test(id)) return undefined;
  const path = choicesPath(id);
  if ((await files.stat(path)) === undefined) return undefined;
  const found = await files.readLocated(path, longest).catch(() => undefined);
  if (found?.bytes === undefined) return "lost";
  const text = new TextDecoder().decode(found.bytes);
  const json = parseJson(text);
  if (!json.ok || !isSigned(text, path, signer)) return "lost";
  return sessionChoices.safeParse(json.value).data ?? "lost";
}
