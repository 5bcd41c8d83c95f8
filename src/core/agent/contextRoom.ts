import { ModelError } from "../errors.js";
import type { LanguageModel } from "../ports.js";
import { askModel } from "./askModel.js";
import { ContextMeter } from "./contextMeter.js";
import type { AgentEvent } from "./events.js";
import type { ModelMessage, Usage } from "./messages.js";
import { summaryMessage, summaryRequest } from "./summary.js";
import type { Transcript } from "./transcript.js";

/** Parts of the window: where room is made, what is then kept word for word, what a summary is for. */
const full = 0.8;
const kept = 0.3;
const worthwhile = 0.1;

export interface ContextParts {
  readonly transcript: Transcript;
  readonly model: LanguageModel;
  /** Tokens that the person says the model's window has, if they do. */
  readonly limit: number | undefined;
  /** What servers said when a conversation was too long for them, by the model's name; grows. */
  readonly learned: Map<string, number>;
  readonly newMessageId: () => string;
  readonly onEvent: (event: AgentEvent) => void;
}

/**
 * Keeps a conversation within its model's window. Older turns are summarised by the model; the goal,
 * the steps, what the user said and the last turns stay word for word. Where that does not work, the
 * oldest outputs are left out. All of it is a line of the transcript, whose other lines stay.
 */
export class ContextRoom {
  private readonly meter = new ContextMeter();

  constructor(private readonly parts: ContextParts) {}

  /** `undefined` when nobody knows. */
  get limit(): number | undefined {
    const { limit, learned, model } = this.parts;
    const known = limit ?? model.contextTokens;
    const refused = learned.get(model.name);
    if (known === undefined || refused === undefined) return known ?? refused;
    return Math.min(known, refused);
  }

  /** A request with the messages as they are was answered. */
  counted({ inputTokens, outputTokens }: Usage): void {
    this.meter.counted(this.parts.transcript.messages, inputTokens);
    this.tell({ tokens: inputTokens + outputTokens });
  }

  /** It was answered, but the server does not count. */
  uncounted(): void {
    // Without a window to compare it with a guess says nothing.
    if (this.limit !== undefined) this.tell({ tokens: this.tokens, guessed: true });
  }

  private tell(context: { readonly tokens: number; readonly guessed?: boolean }): void {
    const { limit } = this;
    this.parts.onEvent({ type: "context", ...context, ...(limit === undefined ? {} : { limit }) });
  }

  /** Makes room if the window is nearly full. */
  async make(signal: AbortSignal): Promise<void> {
    const { limit } = this;
    if (limit === undefined || this.tokens <= full * limit) return;
    await this.summarise(limit, signal);
    if (this.tokens > full * limit) await this.shorten(limit);
  }

  /** The server found it too long. `false` when nothing can be done about that. */
  async refused(error: ModelError, signal: AbortSignal): Promise<boolean> {
    const { learned, model, transcript } = this.parts;
    const before = this.tokens;
    const limit = Math.min(error.contextTokens ?? before, this.limit ?? Infinity);
    learned.set(model.name, limit === this.limit ? Math.floor(limit * 0.9) : limit);
    this.meter.moreThan(transcript.messages, limit);
    const guess = this.tokens;
    await this.make(signal);
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
        said: transcript.said,
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
      // It goes on without; what is wrong with the model shows itself at the next turn.
      if (signal.aborted || !(error instanceof ModelError)) throw error;
    }
  }

  /** All between the goal and the turns that are kept, whole turns of them. */
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

  /** Leaves outputs out, the oldest first, those of the last turn only if nothing else helps. */
  private async shorten(limit: number): Promise<void> {
    const { transcript } = this.parts;
    const { messages } = transcript;
    const lastTurn = messages.findLastIndex(({ role }) => role === "assistant");
    const long = messages
      .slice(0, lastTurn)
      .flatMap((message) =>
        message.role === "tool" && message.content.length > 400 ? message : [],
      );
    let over = this.tokens - ((full + kept) / 2) * limit;
    const callIds: string[] = [];
    const leaveOut = (message: ModelMessage & { role: "tool" }): void => {
      callIds.push(message.callId);
      over -= this.meter.tokensOf([message]);
    };
    for (const message of long) if (over > 0) leaveOut(message);
    if (callIds.length > 0) await transcript.append({ type: "shortened", callIds });
    if (this.tokens <= 0.95 * limit) return;
    const last = messages
      .slice(lastTurn)
      .flatMap((message) =>
        message.role === "tool" && message.content.length > 400 ? message : [],
      )
      .toSorted((a, b) => b.content.length - a.content.length);
    for (const { callId } of last) {
      if (this.tokens <= full * limit) return;
      await transcript.append({ type: "shortened", callIds: [callId] });
    }
  }
}
