import { ModelError, type ModelErrorCode } from "../errors.js";
import type { LanguageModel } from "../ports.js";
import { askModel } from "./askModel.js";
import { type CallOutcome, type Calls, completionInText, settleCalls } from "./calls.js";
import type { AgentEvent } from "./events.js";
import type { ModelMessage, ToolDefinition } from "./messages.js";
import type { Transcript } from "./transcript.js";

export interface AgentLimits {
  /** Model calls in one activation. */
  readonly turns: number;
  /** Failed tool calls in a row. */
  readonly failuresInARow: number;
}

export interface Agent {
  /** Starts with a system and a user message; everything that happens is appended to it. */
  readonly transcript: Transcript;
  readonly model: LanguageModel;
  /** Of the tools in `calls`; the same bytes every turn, so that a server's prompt cache works. */
  readonly definitions: readonly ToolDefinition[];
  readonly calls: Calls;
  readonly limits: AgentLimits;
  /** What a reply without a tool call is: a question to the person, or a slip to be pointed out. */
  readonly plainText: "question" | "slip";
  readonly newMessageId: () => string;
  readonly onEvent: (event: AgentEvent) => void;
}

export type AgentEnd =
  /** `completed`: the call's arguments were accepted, and its result is still to be written. */
  | Extract<CallOutcome, { type: "completed" | "asks" | "waitsForApproval" }>
  /** The agent spoke instead of calling a tool, and that is a question here. */
  | { readonly type: "speaks"; readonly text: string }
  | { readonly type: "stopped" }
  /** The agent's own limits were reached. */
  | { readonly type: "exhausted"; readonly message: string }
  /** No fault of the agent's: it can go on when the model can. */
  | { readonly type: "modelFailed"; readonly code: ModelErrorCode; readonly message: string };

/** Replies without a tool call that are pointed out before the agent is given up. */
const slipsAllowed = 2;

/**
 * Runs an agent until it completes, needs someone, is stopped or fails. It can be called again at
 * any time with a transcript read from disk: calls without a result are settled first.
 */
export async function runAgent(agent: Agent, signal: AbortSignal): Promise<AgentEnd> {
  try {
    return await takeTurns(agent, signal);
  } catch (error) {
    if (signal.aborted) return { type: "stopped" };
    if (error instanceof ModelError) {
      return { type: "modelFailed", code: error.code, message: error.message };
    }
    throw error;
  }
}

async function takeTurns(agent: Agent, signal: AbortSignal): Promise<AgentEnd> {
  const { transcript, limits } = agent;
  let failures = 0;
  let slips = 0;
  for (let turn = 0; ; turn++) {
    const settled = await settleCalls(transcript, agent.calls, signal);
    if (settled.type !== "settled") return settled;
    failures = settled.succeeded > 0 ? 0 : failures + settled.failed;
    if (failures >= limits.failuresInARow) {
      return exhausted(`${failures} tool calls in a row failed. The last: ${settled.lastFailure}`);
    }

    const last = transcript.messages.at(-1);
    if (last?.role === "assistant") {
      const text = last.content.trim();
      if (agent.plainText === "question" && text !== "") return { type: "speaks", text };
      const args = await completionInText(text, agent.calls);
      if (args !== undefined) return { type: "completed", callId: null, args };
      if (++slips > slipsAllowed) return exhausted(whatWasMissing(agent.model.name, last));
      await transcript.append({ type: "user", content: pointOut(text) });
    } else if (settled.succeeded > 0) slips = 0;

    if (turn >= limits.turns) {
      return exhausted(
        `Stopped after ${turn} turns, the limit for one go (setting "rooroo.limits.turns"). Resume the task to let it go on.`,
      );
    }
    signal.throwIfAborted();
    const reply = await askModel(
      agent.model,
      { messages: transcript.messages, tools: agent.definitions },
      agent.newMessageId(),
      agent.onEvent,
      signal,
    );
    await transcript.append({
      type: "assistant",
      content: reply.text,
      toolCalls: [...reply.toolCalls],
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    });
  }
}

function exhausted(message: string): AgentEnd {
  return { type: "exhausted", message };
}

function pointOut(text: string): string {
  const what = text === "" ? "Your reply was empty." : "Your reply called no tool.";
  return `${what} Go on with the next tool call. If the work is finished, or cannot be, call attempt_completion; if you need an answer from the user, call ask_followup_question.`;
}

function whatWasMissing(model: string, last: Extract<ModelMessage, { role: "assistant" }>): string {
  return last.content.trim() === ""
    ? `The model ${model} answered with nothing, ${slipsAllowed + 1} times. Try again, or choose another model.`
    : `The model ${model} answered ${slipsAllowed + 1} times without calling a tool. It may not support tool calling; choose another model. Its last words: ${last.content.trim().slice(0, 500)}`;
}
