import type { RunId, TaskId } from "../../ids.js";
import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import { agentUnit, type AgentUnit } from "./agentUnit.js";
import { messageEnding, readMessage } from "./runReports.js";
import type { RunServices } from "./runServices.js";

/** A failure that the user is to be told of. */
export interface FailureToTell {
  readonly taskId: TaskId;
  readonly runId: RunId;
  /** The user's request that began the run. */
  readonly request: string;
  /** The report of the failure. */
  readonly failure: string;
}

const order =
  "REPORT_FAILURE. Tell the user that the run has failed: where, what it was about, and why as far as the error log says.";

/**
 * Lets the Communicator tell the user in their language why a run has failed (R-MV-26). There is always a message, from
 * code if no model is available; `undefined` only if the signal was aborted. What is the same for every run is said
 * by code, without a model.
 */
export async function tellFailure(
  { taskId, runId, request, failure }: FailureToTell,
  guard: () => Promise<void>,
  services: RunServices,
  signal: AbortSignal,
): Promise<string | undefined> {
  const unit: AgentUnit = {
    taskId,
    request,
    role: "Communicator",
    objective: "REPORT_FAILURE",
    ending: messageEnding,
    message: [
      tagged("request", request),
      quoteUntrusted("the failure", failure),
      tagged("task", `${order}\n\nYour message must contain this, to the letter:\n- ${runId}`),
    ].join("\n\n"),
    writes: "ownTaskFolder",
    inEnvelopes: '{"message": "…"}',
    accept: (args) => {
      const isNamed = readMessage(args).message.includes(runId);
      return Promise.resolve(isNamed ? undefined : `The message must contain this: ${runId}`);
    },
  };
  const end = await agentUnit(unit, guard, services, signal);
  if (signal.aborted) return undefined;
  // The submission is not confirmed, so that the same words are found again after a kill.
  return end.type === "interrupted"
    ? `${runId} has failed.\n\n${failure}`
    : readMessage(end.args).message;
}
