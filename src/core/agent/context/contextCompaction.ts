import { ModelError } from "../../errors.js";
import type { LanguageModel } from "../../ports/model.js";
import { askModel } from "../replies/askModel.js";
import { ContextMeter } from "./contextMeter.js";
import type { AgentEvent } from "../events.js";
import type { ModelMessage, Usage } from "../../ports/messages.js";
import { summaryMessage, summaryRequest } from "./summary.js";
import type { Transcript } from "../transcript.js";

/**
 * Fractions of the context window: above `full` it is compacted, about `kept` of it then stays word for word,
 * and less than `worthwhile` is not worth a summary.
 */
const full = 0.8;
const kept = 0.3;
const worthwhile = 0.1;

export interface CompactionParts {
  readonly transcript: Transcript;
  readonly model: LanguageModel;
  /** Tokens of the model's context window according to the user's settings, if they set it. */
  readonly limit: number | undefined;
  /**
   * Context windows in tokens, by the model's name, as servers' refusals have shown them; entries are added.
   */
  readonly observedWindows: Map<string, number>;
  readonly newMessageId: () => string;
  readonly onEvent: (event: AgentEvent) => void;
}

/**
 * Keeps a conversation within its model's window. The model summarises older turns; the goal, the steps, user
 * input and the last turns stay word for word. If that is not enough, the oldest outputs are omitted. Each
 * compaction is a line of the transcript, whose other lines stay.
 */
export class ContextCompaction {
  private readonly meter = new ContextMeter();

  constructor(private readonly parts: CompactionParts) {}

  /** Tokens of the model's context window; `undefined` if it is unknown. */
  get limit(): number | undefined {
    const { limit, observedWindows, model } = this.parts;
    const known = limit ?? model.contextTokens;
    const refused = observedWindows.get(model.name);
    if (known === undefined || refused === undefined) return known ?? refused;
    return Math.min(known, refused);
  }

  /**
   * Called when a request with the current messages was answered.
   *
   * @param usage the tokens as the server counts them; `undefined` if it does not
   */
  replied(usage: Usage | undefined): void {
    if (usage !== undefined) {
      this.meter.calibrate(this.parts.transcript.messages, usage.inputTokens);
      this.emitSize({ tokens: usage.inputTokens + usage.outputTokens });
    } else if (this.limit !== undefined) {
      // An estimate says nothing without a window to compare it with.
      this.emitSize({ tokens: this.tokens, guessed: true });
    }
  }

  private emitSize(context: { readonly tokens: number; readonly guessed?: boolean }): void {
    const { limit } = this;
    this.parts.onEvent({ type: "context", ...context, ...(limit === undefined ? {} : { limit }) });
  }

  /** Compacts the conversation if the window is nearly full. */
  async compactIfFull(signal: AbortSignal): Promise<void> {
    const { limit } = this;
    if (limit === undefined || this.tokens <= full * limit) return;
    await this.summarise(limit, signal);
    if (this.tokens > full * limit) await this.omitOutputs(limit);
  }

  /**
   * Compacts a conversation that the server refused as too long. Returns `false` if it cannot be compacted
   * any further.
   */
  async shrinkAfter(
    error: Pick<ModelError, "contextTokens">,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { observedWindows, model, transcript } = this.parts;
    const before = this.tokens;
    const limit = Math.min(error.contextTokens ?? before, this.limit ?? Infinity);
    observedWindows.set(model.name, limit === this.limit ? Math.floor(limit * 0.9) : limit);
    this.meter.raiseAbove(transcript.messages, limit);
    const guess = this.tokens;
    await this.compactIfFull(signal);
    return this.tokens < guess;
  }

  private get tokens(): number {
    return this.meter.tokens(this.parts.transcript.messages);
  }

  private async summarise(limit: number, signal: AbortSignal): Promise<void> {
    const { transcript, model, newMessageId, onEvent } = this.parts;
    const covered = this.covered(limit);
    const size = this.meter.tokensOf(covered);
    if (size < worthwhile * limit) return;
    try {
      const request = summaryRequest(covered, Math.floor(limit * 1.5));
      const silent = (event: AgentEvent): void => {
        if (event.type === "usage") onEvent(event);
      };
      const reply = await askModel(
        model,
        { messages: request, tools: [] },
        newMessageId(),
        silent,
        signal,
      );
      if (reply.text.trim() === "") return;
      const content = summaryMessage({
        text: reply.text,
        messages: covered.length,
        transcriptPath: transcript.path,
        said: transcript.userInput,
        todos: transcript.todos,
      });
      if (this.meter.tokensOf(content) > size / 2) return;
      const { usage } = reply;
      await transcript.append({
        type: "summary",
        messages: covered.length,
        content,
        ...(usage === undefined ? {} : { usage }),
      });
      onEvent({ type: "summarised", messageId: newMessageId(), messages: covered.length });
    } catch (error) {
      // The agent continues without a summary; a failing model shows itself at the next turn.
      if (signal.aborted || !(error instanceof ModelError)) throw error;
    }
  }

  /** Returns the messages to summarise: all whole turns between the goal and the turns that are kept. */
  private covered(limit: number): readonly ModelMessage[] {
    const { messages, goalEnd } = this.parts.transcript;
    let cut = messages.length;
    let size = 0;
    for (let index = messages.length - 1; index >= goalEnd; index--) {
      const message = messages[index];
      if (message === undefined) break;
      size += this.meter.tokensOf([message]);
      const isLastTurn = cut === messages.length;
      if (size > kept * limit && !isLastTurn) break;
      if (message.role === "assistant") cut = index;
    }
    return messages.slice(goalEnd, cut);
  }

  /** Omits long outputs, the oldest first; those of the last turn only if nothing else helps. */
  private async omitOutputs(limit: number): Promise<void> {
    const { transcript } = this.parts;
    const { messages } = transcript;
    const lastTurn = messages.findLastIndex(({ role }) => role === "assistant");
    let excess = this.tokens - ((full + kept) / 2) * limit;
    const callIds: string[] = [];
    for (const output of longOutputs(messages.slice(0, lastTurn))) {
      if (excess <= 0) break;
      callIds.push(output.callId);
      excess -= this.meter.tokensOf([output]);
    }
    if (callIds.length > 0) await transcript.append({ type: "shortened", callIds });
    if (this.tokens <= 0.95 * limit) return;
    const last = longOutputs(messages.slice(lastTurn));
    for (const { callId } of last.toSorted((a, b) => b.content.length - a.content.length)) {
      if (this.tokens <= full * limit) return;
      await transcript.append({ type: "shortened", callIds: [callId] });
    }
  }
}

function longOutputs(
  messages: readonly ModelMessage[],
): readonly Extract<ModelMessage, { role: "tool" }>[] {
  return messages
    .filter((message) => message.role === "tool")
    .filter(({ content }) => content.length > 400);
}
