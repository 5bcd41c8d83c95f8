import { asData } from "../tools/asData.js";
import { agentUnit, type AgentUnit } from "./agentUnit.js";
import type { RunWorld } from "./runWorld.js";
import { messageEnding, readMessage } from "./workReport.js";

/** Something that the person is to be told. */
export interface Telling {
  readonly taskId: string;
  /** The person's, which began the run. */
  readonly request: string;
  readonly mode: "AWAITING_CONFIRMATION" | "REPORT_FAILURE" | "REPORT_COMPLETION";
  /** What it is about, by name. */
  readonly facts: Readonly<Record<string, string>>;
  /** What the message has to have in it, to the letter. */
  readonly needed: readonly string[];
  /** What is said if nobody can be had to word it. */
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
 * Has the one who speaks with the person put it into words. What has to be said is said in any case:
 * `undefined` only when it was stopped.
 */
export async function wordsFor(
  { taskId, request, mode, facts, needed, otherwise }: Telling,
  guard: () => Promise<void>,
  world: RunWorld,
  signal: AbortSignal,
): Promise<string | undefined> {
  const given = Object.entries(facts).map(([name, text]) => asData(name, text));
  const exact = needed.map((text) => `- ${text}`).join("\n");
  const unit: AgentUnit = {
    taskId,
    request,
    role: "Communicator",
    objective: mode,
    ending: messageEnding,
    message: [
      `${mode}. ${orders[mode]}`,
      `Have this in it, to the letter:\n${exact}`,
      ...given,
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
  // It stays handed in: whoever has to say it again after a kill finds the words.
  return end.type === "left" ? otherwise : readMessage(end.args).message;
}
