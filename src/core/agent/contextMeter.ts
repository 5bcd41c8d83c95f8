import type { ModelMessage } from "./messages.js";

/** Tokens of what is sent beside the messages: tools, and what a server puts around it all. */
const overhead = 1_500;

/**
 * How many tokens a conversation takes, as nearly as can be told without the model's own tokenizer:
 * guessed from its length, and set right by what the server counts.
 */
export class ContextMeter {
  private readonly known = new WeakMap<ModelMessage, number>();
  /** What the server counts for each token that is guessed here. */
  private factor = 1;

  tokens(messages: readonly ModelMessage[]): number {
    return Math.ceil((this.guessAll(messages) + overhead) * this.factor);
  }

  /** Of a part, without what is sent beside it. */
  tokensOf(part: readonly ModelMessage[] | string): number {
    const guess = typeof part === "string" ? guessed(part) : this.guessAll(part);
    return Math.ceil(guess * this.factor);
  }

  /** The server has counted these messages. */
  counted(messages: readonly ModelMessage[], tokens: number): void {
    const factor = tokens / (this.guessAll(messages) + overhead);
    this.factor = Math.min(6, Math.max(0.25, factor));
  }

  /** The server has refused these messages: they are more than that. */
  moreThan(messages: readonly ModelMessage[], tokens: number): void {
    if (this.tokens(messages) <= tokens) this.counted(messages, tokens + 1);
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

/** About 3.5 characters a token in code and English; of other scripts each one is nearly a token. */
function guessed(text: string): number {
  const others = text.length < 200_000 ? (text.match(/[^\u0000-\u024F]/g) ?? []).length : 0;
  return Math.ceil((text.length - others) / 3.5 + others);
}
