import { ModelError } from "../../errors.js";
import type { ModelMessage, Usage } from "../../ports/messages.js";
import type { LanguageModel } from "../../ports/model.js";
import type { AgentEvent } from "../events.js";
import { askModel } from "../replies/askModel.js";
import type { Transcript } from "../transcript.js";
import { ContextMeter } from "./contextMeter.js";
import { contextParts } from "./contextParts.js";
import { fullWindow } from "./fullWindow.js";
import { knownWindow } from "./knownWindow.js";
import { summaryMessage, summaryRequest } from "./summary.js";

/**
 * Fractions of the context window: when it is compacted, about `kept` of it stays word for word, and less than
 * `worthwhile` is not worth a summary.
 */
const kept = 0.3;
const worthwhile = 0.1;

/**
 * Where a refusal without known words may mean that the request is too long: the fraction of the window, and the tokens
 * where its size is not known.
 */
const near = 0.5;
const longWithoutLimit = 16_000;

/** When the user asks for it: the fraction of the messages that stays word for word, and the least tokens to summarise. */
const keptByHand = 0.25;
const leastByHand = 300;

/** The bounds of a summary. */
interface SummaryBounds {
  /** The tokens of the last turns that stay word for word; the last one stays in any case. */
  readonly room: number;
  /** Fewer tokens than these are not summarised. */
  readonly least: number;
  /** The most characters of what the model summarises. */
  readonly longest: number;
  /** What the user wants the summary to keep. Absent: the user has not asked for it. */
  readonly keep?: string;
}

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
  /** Tokens that servers count for each that is estimated, by the model's name; entries are added. */
  readonly observedFactors?: Map<string, number>;
  /** Called once if the server's count of a request cannot be: it is not used. */
  readonly onDoubtedCount?: (counts: { readonly counted: number; readonly guess: number }) => void;
  /** Called once if what every request repeats, which is the instructions and the tools, takes most of the window. */
  readonly onSmallWindow?: (sizes: { readonly fixed: number; readonly limit: number }) => void;
}

/** The part of a window from which what every request repeats leaves too little room for the work. */
const tooMuchRepeated = 0.5;

/**
 * Keeps a conversation within its model's window. The model summarises older turns; the goal, the steps, user
 * input and the last turns stay word for word. If that is not enough, the oldest outputs are omitted. Each
 * compaction is a line of the transcript, whose other lines stay.
 */
export class ContextCompaction {
  private readonly meter: ContextMeter;
  private toolText = "";
  private isSmallTold = false;
  private isDoubtTold = false;

  constructor(private readonly parts: CompactionParts) {
    this.meter = new ContextMeter(parts.observedFactors?.get(parts.model.name));
  }

  /** Tokens of the model's context window; `undefined` if it is unknown. */
  get limit(): number | undefined {
    const { limit, observedWindows, model } = this.parts;
    return knownWindow(model, limit, observedWindows);
  }

  /**
   * Called when a request with the current messages is sent: says how full the window is by now, estimated.
   *
   * @param toolText the descriptions of the tools, which are sent beside the messages
   */
  asks(toolText: string): void {
    this.toolText = toolText;
    this.meter.tools(toolText);
    this.tellIfSmall();
    // An estimate says nothing without a window, or a count of the server's, to compare it with.
    if (this.limit !== undefined || this.meter.isCalibrated) this.emitSize(this.tokens);
  }

  /**
   * Called when a request with the current messages was answered.
   *
   * @param usage the tokens as the server counts them; `undefined` if it does not
   */
  replied(usage: Usage | undefined): void {
    if (usage === undefined) return;
    const { transcript, onDoubtedCount } = this.parts;
    const { inputTokens, outputTokens, doubted } = usage;
    const isBelieved =
      doubted === undefined && this.meter.calibrate(transcript.messages, inputTokens);
    this.remember();
    if (isBelieved) {
      this.emitSize(inputTokens, outputTokens);
      return;
    }
    this.emitSize(this.tokens, outputTokens);
    if (this.isDoubtTold) return;
    this.isDoubtTold = true;
    onDoubtedCount?.({ counted: doubted ?? inputTokens, guess: this.tokens });
  }

  /** Keeps what was learnt of the model's tokenizer for conversations that begin later. */
  private remember(): void {
    const { observedFactors, model } = this.parts;
    const { learnt } = this.meter;
    if (learnt !== undefined) observedFactors?.set(model.name, learnt);
  }

  private tellIfSmall(): void {
    const { limit, toolText, parts } = this;
    if (limit === undefined || this.isSmallTold) return;
    const system = parts.transcript.messages.filter(({ role }) => role === "system");
    const fixed = this.meter.tokensOf(system) + this.meter.tokensOf(toolText);
    if (fixed <= tooMuchRepeated * limit) return;
    this.isSmallTold = true;
    parts.onSmallWindow?.({ fixed, limit });
  }

  /** @param replyTokens `undefined` if the tokens are estimated, and not counted by the server */
  private emitSize(tokens: number, replyTokens?: number): void {
    const { limit, toolText } = this;
    const { messages, goalEnd } = this.parts.transcript;
    const sent = { messages, goalEnd, toolText, tokens, replyTokens: replyTokens ?? 0 };
    this.parts.onEvent({
      type: "context",
      tokens: tokens + sent.replyTokens,
      ...(replyTokens === undefined ? { guessed: true } : {}),
      ...(limit === undefined ? {} : { limit }),
      parts: contextParts(sent, (part) => this.meter.tokensOf(part)),
    });
  }

  /**
   * Compacts the conversation because the user asks for it, and says what became of it.
   *
   * @param keep what the summary must keep, in the user's words; may be empty
   */
  async compactNow(keep: string, signal: AbortSignal): Promise<void> {
    const { limit = Infinity } = this;
    const { newMessageId, onEvent } = this.parts;
    const isDone = await this.summarise(
      { room: keptByHand * this.tokens, least: leastByHand, longest: limit * 1.5, keep },
      signal,
    );
    if (isDone) this.emitSize(this.tokens);
    else onEvent({ type: "summarised", messageId: newMessageId(), messages: 0, asked: true });
  }

  /** Compacts the conversation if the window is nearly full. */
  async compactIfFull(signal: AbortSignal): Promise<void> {
    const { limit } = this;
    if (limit === undefined || this.tokens <= fullWindow * limit) return;
    const room = kept * limit;
    await this.summarise({ room, least: worthwhile * limit, longest: limit * 1.5 }, signal);
    if (this.tokens > fullWindow * limit) await this.omitOutputs(limit);
  }

  /**
   * Compacts a conversation that the server refused as too long. Returns `false` if it cannot be compacted
   * any further.
   */
  async shrinkAfter(
    error: Partial<Pick<ModelError, "contextTokens" | "requestTokens">>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { observedWindows, model, transcript } = this.parts;
    const { contextTokens, requestTokens } = error;
    // The server counts better than the estimate, also where it refuses.
    if (requestTokens !== undefined) {
      this.meter.refused(transcript.messages, requestTokens);
      this.remember();
    }
    const before = this.tokens;
    const limit = Math.min(contextTokens ?? before, this.limit ?? Infinity);
    observedWindows.set(model.name, limit === this.limit ? Math.floor(limit * 0.9) : limit);
    this.meter.raiseAbove(transcript.messages, limit);
    const guess = this.tokens;
    await this.compactIfFull(signal);
    return this.tokens < guess;
  }

  /**
   * Compacts a conversation that may be too long, because the server refused a request near the window's end in words
   * that are not known. Returns a function that forgets the suspicion, to be called if it was wrong; `undefined` if the
   * conversation is far from the window's end, or cannot be compacted.
   */
  async shrinkOnSuspicion(signal: AbortSignal): Promise<(() => void) | undefined> {
    const { observedWindows, model } = this.parts;
    if (this.tokens < (this.limit === undefined ? longWithoutLimit : near * this.limit))
      return undefined;
    const known = observedWindows.get(model.name);
    const forget = (): void => {
      if (known === undefined) observedWindows.delete(model.name);
      else observedWindows.set(model.name, known);
    };
    if (await this.shrinkAfter({ contextTokens: this.tokens }, signal)) return forget;
    forget();
    return undefined;
  }

  private get tokens(): number {
    return this.meter.tokens(this.parts.transcript.messages);
  }

  /** Returns whether a summary has taken the place of messages. */
  private async summarise(
    { room, least, longest, keep }: SummaryBounds,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { transcript, model, newMessageId, onEvent } = this.parts;
    const covered = this.covered(room);
    const size = this.meter.tokensOf(covered);
    if (size < least) return false;
    try {
      const request = summaryRequest(covered, Math.floor(longest), keep);
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
      // What a cut summary lacks would be lost for good.
      if (reply.text.trim() === "" || reply.cut !== undefined) return false;
      const content = summaryMessage({
        text: reply.text,
        messages: covered.length,
        transcriptPath: transcript.path,
        userInput: transcript.userInput,
        todos: transcript.todos,
      });
      if (this.meter.tokensOf(content) > size / 2) return false;
      const { usage } = reply;
      await transcript.append({
        type: "summary",
        messages: covered.length,
        content,
        ...(usage === undefined ? {} : { usage }),
      });
      const asked = keep === undefined ? {} : { asked: true };
      const summarised = { messageId: newMessageId(), messages: covered.length, ...asked };
      onEvent({ type: "summarised", ...summarised });
      return true;
    } catch (error) {
      // The agent continues without a summary; a failing model shows itself at the next turn.
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      return false;
    }
  }

  /** Returns the messages to summarise: all whole turns between the goal and the turns that are kept. */
  private covered(room: number): readonly ModelMessage[] {
    const { messages, goalEnd } = this.parts.transcript;
    let cut = messages.length;
    let size = 0;
    for (let index = messages.length - 1; index >= goalEnd; index--) {
      const message = messages[index];
      if (message === undefined) break;
      size += this.meter.tokensOf([message]);
      const isLastTurn = cut === messages.length;
      if (size > room && !isLastTurn) break;
      if (message.role === "assistant") cut = index;
    }
    return messages.slice(goalEnd, cut);
  }

  /** Omits long outputs, the oldest first; those of the last turn only if nothing else helps. */
  private async omitOutputs(limit: number): Promise<void> {
    const { transcript } = this.parts;
    const { messages } = transcript;
    const lastTurn = messages.findLastIndex(({ role }) => role === "assistant");
    let excess = this.tokens - ((fullWindow + kept) / 2) * limit;
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
      if (this.tokens <= fullWindow * limit) return;
      await transcript.append({ type: "shortened", callIds: [callId] });
    }
  }
}

function longOutputs(
  messages: readonly ModelMessage[],
): readonly Extract<ModelMessage, { role: "tool" }>[] {
  return messages
    .filter((message) => message.role === "tool")
    .filter(({ content, images = [] }) => content.length > 400 || images.length > 0);
}
