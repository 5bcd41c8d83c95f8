import type { ModelMessage } from "../../ports/messages.js";
import { cannotBe, guessedMessage, guessedTokens } from "./tokenGuess.js";

/** The least that is estimated for what is sent besides the messages: tools, and the server's own framing. */
const leastOverhead = 1_500;
/** Estimated tokens of the framing alone. */
const framing = 200;

/**
 * Where a count is less than this part of what it was before, for each estimated token, the server has begun to cut the
 * conversation.
 */
const cutShare = 0.5;

/** The bounds of the correction. */
const leastFactor = 0.25;
const mostFactor = 6;

/**
 * Estimates how many tokens a conversation takes, without the model's own tokenizer: from the length of its
 * text, corrected by what the server counts.
 */
export class ContextMeter {
  private readonly known = new WeakMap<ModelMessage, number>();
  /** Tokens that the server counts for each token estimated here. */
  private factor = 1;
  /** The most that it has counted for each. */
  private highest = 0;
  private overhead = leastOverhead;
  private hasCount = false;

  /** @param factor what is known of the model's tokenizer from earlier conversations */
  constructor(factor = 1) {
    this.factor = factor;
  }

  /** Tokens that the server counts for each token estimated here; `undefined` if it has counted nothing. */
  get learnt(): number | undefined {
    return this.hasCount ? this.factor : undefined;
  }

  /** Takes into account what is sent beside the messages. */
  tools(toolText: string): void {
    this.overhead = Math.max(leastOverhead, guessedTokens(toolText) + framing);
  }

  /** Whether a server's count has corrected the estimate. */
  get isCalibrated(): boolean {
    return this.hasCount;
  }

  tokens(messages: readonly ModelMessage[]): number {
    return Math.ceil((this.guessAll(messages) + this.overhead) * this.factor);
  }

  /** Estimates the tokens of a part, without what is sent besides the messages. */
  tokensOf(part: readonly ModelMessage[] | string): number {
    const guess = typeof part === "string" ? guessedTokens(part) : this.guessAll(part);
    return Math.ceil(guess * this.factor);
  }

  /**
   * Corrects the estimate by the server's count for these messages. Returns `false`, and corrects nothing, if that count
   * cannot be.
   */
  calibrate(messages: readonly ModelMessage[], tokens: number): boolean {
    const guess = this.guessAll(messages) + this.overhead;
    this.hasCount = true;
    if (cannotBe(tokens, guess)) return false;
    const isCut = tokens < cutShare * this.highest * guess && this.highest >= leastFactor;
    if (isCut) return false;
    this.correct(tokens / guess);
    this.highest = Math.max(this.highest, tokens / guess);
    return true;
  }

  /** Corrects the estimate by the count that a server's refusal of these messages names. */
  refused(messages: readonly ModelMessage[], tokens: number): void {
    this.hasCount = true;
    this.correct(tokens / (this.guessAll(messages) + this.overhead));
  }

  /**
   * Corrects the estimate when the server has refused these messages: they have more than `tokens` tokens.
   */
  raiseAbove(messages: readonly ModelMessage[], tokens: number): void {
    if (this.tokens(messages) <= tokens) this.refused(messages, tokens + 1);
  }

  private correct(factor: number): void {
    this.factor = Math.min(mostFactor, Math.max(leastFactor, factor));
  }

  private guessAll(messages: readonly ModelMessage[]): number {
    let sum = 0;
    for (const message of messages) {
      let guess = this.known.get(message);
      if (guess === undefined) this.known.set(message, (guess = guessedMessage(message)));
      sum += guess;
    }
    return sum;
  }
}
