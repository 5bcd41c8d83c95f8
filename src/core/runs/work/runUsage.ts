import { wordsIn } from "../../agent/inbox.js";
import { Transcript } from "../../agent/transcript.js";
import { addUsage } from "../../agent/usageSums.js";
import { UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { RunId } from "../../ids.js";
import { noSessionUsage, type SessionUsage } from "../../ports/messages.js";
import { unitsOf } from "./runUnit.js";

/**
 * Returns what the agents of a run have used so far, and what the user has said to them while they worked, from their
 * transcripts. One that cannot be read, or that this installation has not written, is left out.
 */
export async function runUsage(
  runId: RunId,
  { files, signer }: Pick<ExpertServices, "files" | "signer">,
): Promise<{ readonly used: SessionUsage; readonly said: readonly string[] }> {
  let used = noSessionUsage;
  const said: string[] = [];
  for (const taskId of await unitsOf(runId, files)) {
    try {
      const path = `.rooroo/tasks/${taskId}/transcript.jsonl`;
      const { usage, delivered } = await Transcript.open({ files, signer, taskId, path });
      used = addUsage(used, usage);
      said.push(...delivered.map(wordsIn));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  return { used, said };
}
