import { quoteUntrusted } from "../../text/quoteUntrusted.js";
import { tagged } from "../../text/tagged.js";
import { agentUnit, type AgentUnit } from "./agentUnit.js";
import type { RunServices } from "./runServices.js";
import { messageEnding, readMessage } from "./runReports.js";
import type { TaskId } from "../../ids.js";

/** A message to the user. */
export interface Telling {
  readonly taskId: TaskId;
  /** The user's request that began the run. */
  readonly request: string;
  readonly mode: "AWAITING_CONFIRMATION" | "REPORT_FAILURE" | "REPORT_COMPLETION";
  /** The material of the message, by name. */
  readonly facts: Readonly<Record<string, string>>;
  /** Texts that the message must contain verbatim. */
  readonly needed: readonly string[];
  /** The message if the agent's session is interrupted. */
  readonly otherwise: string;
}

const orders: Readonly<Record<Telling["mode"], string>> = {
  AWAITING_CONFIRMATION:
    "Ask the user to confirm the proposal, to say what is to change, or to cancel. Say first what it comes down to.",
  REPORT_FAILURE:
    "Tell the user that the run has failed: where, what it was about, and why as far as the error log says.",
  REPORT_COMPLETION: "Tell the user that the run is complete, and where its outputs are.",
};

/**
 * Lets the Communicator word a message to the user. There is always a message; `undefined` only if the signal
 * was aborted.
 */
export async function wordsFor(
  { taskId, request, mode, facts, needed, otherwise }: Telling,
  guard: () => Promise<void>,
  world: RunServices,
  signal: AbortSignal,
): Promise<string | undefined> {
  const given = Object.entries(facts).map(([name, text]) => quoteUntrusted(name, text));
  const exact = needed.map((text) => `- ${text}`).join("\n");
  const unit: AgentUnit = {
    taskId,
    request,
    role: "Communicator",
    objective: mode,
    ending: messageEnding,
    message: [
      tagged("request", request),
      ...given,
      tagged(
        "task",
        `${mode}. ${orders[mode]}\n\nYour message has to have this in it, to the letter:\n${exact}`,
      ),
    ].join("\n\n"),
    writes: "ownTaskFolder",
    inEnvelopes: '{"message": "…"}',
    accept: (args) => {
      const { message } = readMessage(args);
      const missing = needed.find((text) => !message.includes(text));
      return Promise.resolve(missing && `The message has to have this in it: ${missing}`);
    },
  };
  const end = await agentUnit(unit, guard, world, signal);
  if (signal.aborted) return undefined;
  // The submission is not confirmed, so that the same words are found again after a kill.
  return end.type === "interrupted" ? otherwise : readMessage(end.args).message;
}
