import type { LanguageModel, ModelRequest } from "../../ports.js";
import type { AgentEvent } from "../events.js";
import { StreamingCallFilter } from "./streamingCallFilter.js";
import type { ToolCall, Usage } from "../messages.js";
import type { Repair } from "../repair.js";
import { ReasoningText, withoutOpenThought } from "./reasoningText.js";

export interface Reply {
  /** The reply's text without the model's reasoning. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent if the server does not report it. */
  readonly usage?: Usage;
}

/** A normalized reply, with the kinds of repairs that it needed. */
export interface Understood {
  readonly reply: Reply;
  readonly repairs: readonly Repair[];
}

/**
 * Makes one model call and streams it as events.
 *
 * @param understand normalizes the whole reply before its final events are emitted
 * @throws what {@link LanguageModel.respond} throws
 */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  messageId: string,
  onEvent: (event: AgentEvent) => void,
  signal: AbortSignal,
  understand: (reply: Reply) => Understood = (reply) => ({ reply, repairs: [] }),
): Promise<Reply> {
  const names = request.tools.map(({ name }) => name);
  let reasoning = new ReasoningText();
  let held = new StreamingCallFilter(names);
  let text = "";
  let shown = "";
  let usage: Usage | undefined;
  let toolCalls: ToolCall[] = [];
  let isShown = false;
  const show = (piece: string): void => {
    if (piece === "") return;
    shown += piece;
    isShown = true;
    onEvent({ type: "textDelta", messageId, text: piece });
  };
  const take = (piece: string): void => {
    text += piece;
    show(held.add(piece));
  };
  try {
    for await (const part of model.respond(request, signal)) {
      switch (part.type) {
        case "text":
          take(reasoning.add(part.text));
          break;
        case "toolCall":
          toolCalls.push(part.call);
          break;
        case "usage":
          usage = part.usage;
          break;
        case "again": {
          const { attempt, attempts, code } = part;
          [reasoning, held] = [new ReasoningText(), new StreamingCallFilter(names)];
          [text, shown, toolCalls, usage] = ["", "", [], undefined];
          isShown = true;
          onEvent({ type: "askingAgain", messageId, attempt, attempts, code });
          break;
        }
        case "reasoning":
        case "finish":
          break;
      }
    }
  } catch (error) {
    // An interrupted message is not stored, so what was shown of it is cleared.
    if (shown !== "" && !signal.aborted) onEvent({ type: "text", messageId, text: "" });
    throw error;
  }
  signal.throwIfAborted();
  take(reasoning.finish());
  const { reply, repairs } = understand({
    text: withoutOpenThought(text),
    toolCalls,
    ...(usage === undefined ? {} : { usage }),
  });
  if (reply.text.startsWith(shown)) show(reply.text.slice(shown.length));
  if (isShown) onEvent({ type: "text", messageId, text: reply.text });
  if (repairs.length > 0) onEvent({ type: "repaired", messageId, repairs });
  onEvent({ type: "usage", usage: usage ?? null });
  return reply;
}
