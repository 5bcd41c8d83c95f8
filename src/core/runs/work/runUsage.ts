import { addUsage } from "../../agent/usageSums.js";
import { Transcript } from "../../agent/transcript.js";
import { UserError } from "../../errors.js";
import type { ExpertServices } from "../../experts/expertServices.js";
import type { RunId } from "../../ids.js";
import { noSessionUsage, type SessionUsage } from "../../ports/messages.js";
import { runUnitId } from "./runUnit.js";

const sessions = ".rooroo/tasks";

/**
 * Returns what the agents of a run have used so far, from their transcripts. One that cannot be read, or that this
 * installation has not written, is left out.
 */
export async function runUsage(
  runId: RunId,
  { files, signer }: Pick<ExpertServices, "files" | "signer">,
): Promise<SessionUsage> {
  const own = runUnitId(runId, "");
  let used = noSessionUsage;
  for (const { name: taskId } of await files.readDirectory(sessions)) {
    if (!taskId.startsWith(own)) continue;
    try {
      const path = `${sessions}/${taskId}/transcript.jsonl`;
      used = addUsage(used, (await Transcript.open({ files, signer, taskId, path })).usage);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
  return used;
}
