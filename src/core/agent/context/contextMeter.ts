import type { ModelMessage } from "../../ports/messages.js";

/** Estimated tokens of what is sent besides the messages: tools, and the server's own framing. */
const overhead = 1_500;

/**
 * Estimates how many tokens a conversation takes, without the model's own tokenizer: from the length of its
 * text, corrected by what the server counts.
 */
export class ContextMeter {
  private readonly known = new WeakMap<ModelMessage, number>();
  /** Tokens that the server counts for each token estimated here. */
  private factor = 1;
  private hasCount = false;

  /** Whether a server's count has corrected the estimate. */
  get isCalibrated(): boolean {
    return this.hasCount;
  }

  tokens(messages: readonly ModelMessage[]): number {
    return Math.ceil((this.guessAll(messages) + overhead) * this.factor);
  }

  /** Estimates the tokens of a part, without what is sent besides the messages. */
  tokensOf(part: readonly ModelMessage[] | string): number {
    const guess = typeof part === "string" ? guessed(part) : this.guessAll(part);
    return Math.ceil(guess * this.factor);
  }

  /** Corrects the estimate by the server's count for these messages. */
  calibrate(messages: readonly ModelMessage[], tokens: number): void {
    const factor = tokens / (this.guessAll(messages) + overhead);
    this.hasCount = true;
    this.factor = Math.min(6, Math.max(0.25, factor));
  }

  /**
   * Corrects the estimate when the server has refused these messages: they have more than `tokens` tokens.
   */
  raiseAbove(messages: readonly ModelMessage[], tokens: number): void {
    if (this.tokens(messages) <= tokens) this.calibrate(messages, tokens + 1);
  }

  private guessAll(messages: readonly ModelMessage[]): number {
    let sum = 0;
    for (const message of messages) {
      let guess = this.known.get(message);
      if (guess === undefined) this.known.set(message, (guess = guessOf(message)));
      sum += guess;
    }
    return sum;
  }
}

function guessOf(message: ModelMessage): number {
  const calls = message.role === "assistant" ? message.toolCalls : [];
  const args = calls.reduce((sum, call) => sum + guessed(call.name + call.arguments) + 10, 0);
  return guessed(message.content) + args + 5;
}

/** Estimates tokens: about 3.5 characters each in code and English, nearly one each in other scripts. */
function guessed(text: string): number {
  const others = text.length < 200_000 ? (text.match(/[^\u0000-\u024F]/g) ?? []).length : 0;
  return Math.ceil((text.length - others) / 3.5 + others);
}
