import { ModelError, type ModelErrorCode } from "../errors.js";
import type { LanguageModel } from "../ports.js";
import type { Reply } from "./replies/askModel.js";
import { type CallOutcome, type Calls, settleCalls } from "./calls.js";
import { type ContextParts, ContextCompaction } from "./contextCompaction.js";
import type { Dialect } from "./dialects/dialect.js";
import type { AgentEvent } from "./events.js";
import { Repeats } from "./repeats.js";
import type { Transcript } from "./transcript.js";

export interface AgentLimits {
  /** Model calls in one activation. */
  readonly turns: number;
  /** Failed tool calls in a row. */
  readonly failuresInARow: number;
  /** How often the same call may have the same result while nothing else is changed. */
  readonly sameCalls: number;
}

export interface Agent {
  /** Starts with a system and a user message; everything that happens is appended to it. */
  readonly transcript: Transcript;
  readonly model: LanguageModel;
  readonly dialect: Dialect;
  /**
   * Called when the model turns out to have no tool calling; returns the dialect to continue in. Absent: the
   * agent continues in no other dialect.
   */
  readonly withoutTools?: () => Dialect;
  readonly calls: Omit<Calls, "tools" | "resultText" | "repeats">;
  readonly context: Pick<ContextParts, "limit" | "learned">;
  readonly limits: AgentLimits;
  /** Called before each model call; a result other than `undefined` ends the activation. */
  readonly mayAsk?: () => Promise<AgentEnd | undefined>;
  readonly newMessageId: () => string;
  readonly onEvent: (event: AgentEvent) => void;
}

export type AgentEnd =
  /** `completed`: the call's arguments were accepted, and its result is still to be written. */
  | Extract<CallOutcome, { type: "completed" | "asks" | "waitsForApproval" }>
  /** The agent replied with text instead of a tool call, which counts as a question here. */
  | { readonly type: "speaks"; readonly text: string }
  | { readonly type: "stopped" }
  /** The agent's own limits were reached. */
  | { readonly type: "exhausted"; readonly message: string }
  /** The model failed. The agent can be resumed when the model works again. */
  | { readonly type: "modelFailed"; readonly code: ModelErrorCode; readonly message: string };

/**
 * Runs an agent until it completes, needs a person, is stopped or fails. It can be called again at any time
 * with a transcript read from disk: calls without a result are settled first.
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
  let { dialect } = agent;
  let failures = 0;
  let slips = 0;
  let messageId = agent.newMessageId();
  const repeats = new Repeats();
  const room = new ContextCompaction({ ...agent, ...agent.context });
  for (let turn = 0; ; turn++) {
    await transcript.speak(dialect.name);
    const settled = await settleCalls(transcript, callsIn(dialect, agent, repeats), signal);
    if (settled.type !== "settled") return settled;
    failures = settled.succeeded > 0 ? 0 : failures + settled.failed;
    if (failures >= limits.failuresInARow) {
      return exhausted(`${failures} tool calls in a row failed. The last: ${settled.lastFailure}`);
    }

    const { name, times } = repeats.most;
    if (times >= limits.sameCalls) {
      return exhausted(
        `It went round in circles: the same call of ${name} had the same result ${times} times (setting "rooroo.limits.sameCalls"). Resume the task to let it go on.`,
      );
    }

    const last = transcript.messages.at(-1);
    if (last?.role === "assistant") {
      const reply = await dialect.withoutCall(transcript.messages, agent.model.name);
      if (reply.type === "speaks") return reply;
      if (reply.type === "completed") return { ...reply, callId: null };
      if (++slips > dialect.slipsAllowed) {
        // Another dialect does not help a model that says nothing at all.
        const says = last.content.trim() !== "";
        const never = dialect.name === "native" && says && !transcript.hasCalled;
        const other = never ? agent.withoutTools?.() : undefined;
        if (other === undefined) return exhausted(reply.failure(slips));
        [dialect, slips] = [other, 0];
        await transcript.speak(dialect.name);
      } else {
        await transcript.append({ type: "user", content: reply.content });
        agent.onEvent({ type: "sentBack", messageId, why: reply.why });
      }
    } else if (settled.succeeded > 0) slips = 0;

    if (turn >= limits.turns) {
      return exhausted(
        `Stopped after ${turn} turns, the limit for one go (setting "rooroo.limits.turns"). Resume the task to let it go on.`,
      );
    }
    const held = await agent.mayAsk?.();
    if (held !== undefined) return held;
    const supplied = await dialect.supply?.(transcript.messages);
    if (supplied !== undefined) await transcript.append({ type: "user", content: supplied });
    signal.throwIfAborted();
    messageId = agent.newMessageId();
    const reply = await ask(dialect, agent, room, messageId, signal);
    if (reply === "noTools") {
      dialect = agent.withoutTools?.() ?? dialect;
      continue;
    }
    await transcript.append({
      type: "assistant",
      content: reply.text,
      toolCalls: [...reply.toolCalls],
      ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    });
  }
}

function callsIn(dialect: Dialect, { calls }: Agent, repeats: Repeats): Calls {
  const { tools, resultText } = dialect;
  return { ...calls, tools, repeats, ...(resultText === undefined ? {} : { resultText }) };
}

/**
 * Asks the model for a reply, after compacting the conversation if needed. Returns `noTools` if the server
 * says that the model cannot call tools and there is another dialect.
 */
async function ask(
  dialect: Dialect,
  agent: Agent,
  room: ContextCompaction,
  messageId: string,
  signal: AbortSignal,
): Promise<Reply | "noTools"> {
  const { model, transcript, onEvent } = agent;
  for (let attempt = 1; ; attempt++) {
    await room.make(signal);
    try {
      const reply = await dialect.ask(model, transcript.messages, messageId, onEvent, signal);
      if (reply.usage) room.counted(reply.usage);
      else room.uncounted();
      return reply;
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const refused = error.code === "toolsUnsupported" && dialect.name === "native";
      if (refused && agent.withoutTools !== undefined) return "noTools";
      const tooLong = error.code === "contextTooLong" && attempt < 4;
      if (!tooLong || !(await room.refused(error, signal))) throw error;
    }
  }
}

function exhausted(message: string): AgentEnd {
  return { type: "exhausted", message };
}
