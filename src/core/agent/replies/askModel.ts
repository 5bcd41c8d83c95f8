import {
  type Cut,
  cuts,
  type KeptReasoning,
  type ToolCall,
  type Usage,
} from "../../ports/messages.js";
import type { FinishReason, LanguageModel, ModelEvent, ModelRequest } from "../../ports/model.js";
import type { AgentEvent, Repair } from "../events.js";
import { ReasoningText, withoutOpenThought } from "./reasoningText.js";
import { StreamingCallFilter } from "./streamingCallFilter.js";

/** The most characters of a reply's reasoning that are shown and kept. */
const longestThought = 20_000;

export interface Reply {
  /** The reply's text without the model's reasoning. */
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  /** Absent if the server does not report it. */
  readonly usage?: Usage;
  /** Absent if the provider does not want it back. */
  readonly reasoning?: KeptReasoning;
  /** Absent if the reply is whole. */
  readonly cut?: Cut;
}

/** A normalized reply, with the kinds of repairs that it needed. */
export interface NormalizedReply {
  readonly reply: Reply;
  readonly repairs: readonly Repair[];
}

/**
 * Makes one model call and streams it as events.
 *
 * @param normalize normalizes the whole reply before its final events are emitted
 * @throws what {@link LanguageModel.respond} throws, and the signal's reason when it aborts
 */
export async function askModel(
  model: LanguageModel,
  request: ModelRequest,
  messageId: string,
  onEvent: (event: AgentEvent) => void,
  signal: AbortSignal,
  normalize: (reply: Reply) => NormalizedReply = (reply) => ({ reply, repairs: [] }),
): Promise<Reply> {
  const reply = new StreamedReply(request, messageId, onEvent);
  try {
    for await (const event of model.respond(ended(request), signal)) reply.add(event);
  } catch (error) {
    if (!signal.aborted) reply.discard();
    throw error;
  }
  signal.throwIfAborted();
  return reply.finish(normalize);
}

/** The least that a person says so that the model goes on. */
export const goOn = "Go on.";

/**
 * Returns a request whose conversation does not end with the model's own words: engines take those for the beginning of
 * the answer, and refuse them in a thinking mode.
 */
function ended(request: ModelRequest): ModelRequest {
  if (request.messages.at(-1)?.role !== "assistant") return request;
  return { ...request, messages: [...request.messages, { role: "user", content: goOn }] };
}

/** Puts a reply together from its pieces and shows its text as it comes. */
class StreamedReply {
  private reasoning = new ReasoningText();
  private filter: StreamingCallFilter;
  private text = "";
  /** The part of the text that was shown. */
  private shown = "";
  private toolCalls: ToolCall[] = [];
  private usage: Usage | undefined;
  private kept: KeptReasoning | undefined;
  private cut: Cut | undefined;
  /** The beginning of the model's reasoning. */
  private thought = "";
  private isThinking = false;
  /** Whether something of the message was shown, even if it was cleared again. */
  private wasShown = false;

  constructor(
    private readonly request: ModelRequest,
    private readonly messageId: string,
    private readonly onEvent: (event: AgentEvent) => void,
  ) {
    this.filter = this.newFilter();
  }

  add(event: ModelEvent): void {
    switch (event.type) {
      case "text":
        this.endThought();
        this.addText(this.reasoning.add(event.text));
        break;
      case "toolCall":
        this.endThought();
        this.toolCalls.push(event.call);
        break;
      case "usage":
        this.usage = event.usage;
        break;
      case "keptReasoning":
        this.kept = event.reasoning;
        break;
      case "retry":
        this.restart(event);
        break;
      case "reasoning":
        this.think(event.text);
        break;
      case "partsRefused":
        this.onEvent({ ...event, messageId: this.messageId });
        break;
      case "finish":
        this.endThought();
        this.cut = cutBy(event.reason);
        break;
    }
  }

  /** Shows the beginning of the reasoning as it comes. */
  private think(piece: string): void {
    const { messageId, onEvent } = this;
    if (this.thought === "" && !this.isThinking) onEvent({ type: "reasoningStarted", messageId });
    this.isThinking = true;
    const text = piece.slice(0, longestThought - this.thought.length);
    this.thought += text;
    if (text !== "") onEvent({ type: "reasoningDelta", messageId, text });
  }

  private endThought(): void {
    if (!this.isThinking) return;
    this.isThinking = false;
    this.onEvent({ type: "reasoning", messageId: this.messageId, text: this.thought });
  }

  /** Clears what was shown of a message that was interrupted, because it is not stored. */
  discard(): void {
    const { messageId } = this;
    this.endThought();
    if (this.shown !== "") this.onEvent({ type: "text", messageId, text: "" });
  }

  /** Returns the normalized reply and emits its final events. */
  finish(normalize: (reply: Reply) => NormalizedReply): Reply {
    const { messageId, onEvent } = this;
    this.endThought();
    this.addText(this.reasoning.finish());
    const { text, toolCalls, usage, kept, cut } = this;
    const { reply, repairs } = normalize({
      text: withoutOpenThought(text),
      toolCalls,
      ...(usage === undefined ? {} : { usage }),
    });
    if (reply.text.startsWith(this.shown)) this.show(reply.text.slice(this.shown.length));
    if (this.wasShown) onEvent({ type: "text", messageId, text: reply.text });
    if (repairs.length > 0) onEvent({ type: "repaired", messageId, repairs });
    onEvent({ type: "usage", usage: usage ?? null });
    return {
      ...reply,
      ...(kept === undefined ? {} : { reasoning: kept }),
      ...(cut === undefined ? {} : { cut }),
    };
  }

  private addText(piece: string): void {
    this.text += piece;
    this.show(this.filter.add(piece));
  }

  private show(piece: string): void {
    if (piece === "") return;
    this.shown += piece;
    this.wasShown = true;
    this.onEvent({ type: "textDelta", messageId: this.messageId, text: piece });
  }

  /** Discards everything, because the request is retried. */
  private restart(retry: Extract<ModelEvent, { type: "retry" }>): void {
    this.reasoning = new ReasoningText();
    this.filter = this.newFilter();
    this.text = "";
    this.shown = "";
    this.toolCalls = [];
    this.usage = undefined;
    this.kept = undefined;
    this.cut = undefined;
    this.wasShown = true;
    this.endThought();
    this.onEvent({ ...retry, type: "retrying", messageId: this.messageId });
  }

  private newFilter(): StreamingCallFilter {
    return new StreamingCallFilter(this.request.tools.map(({ name }) => name));
  }
}

function cutBy(reason: FinishReason): Cut | undefined {
  return cuts.find((cut) => cut === reason);
}
