import type { Price, Prices } from "../agent/price.js";
import type { Usage } from "../ports/messages.js";
import type { LanguageModel, ModelEvent, ModelRequest } from "../ports/model.js";

/**
 * OpenAI's prices, for these models and their dated versions only and for prompts of up to 270,000 tokens.
 * They were looked up in November 2026 on the pages named below.
 */
const published: Prices = {
  // https://openai.com/index/api-prompt-caching, October 2024
  "gpt-4o": { input: 2.5, cachedInput: 1.25, output: 10 },
  "gpt-4o-mini": { input: 0.15, cachedInput: 0.075, output: 0.6 },
  // https://vercel.com/ai-gateway/models/gpt-4.1/providers and …/gpt-4.1-mini/api: OpenAI's own rates
  "gpt-4.1": { input: 2, cachedInput: 0.5, output: 8 },
  "gpt-4.1-mini": { input: 0.4, cachedInput: 0.1, output: 1.6 },
  // https://aipromptshub.co/model/gpt-5, June 2026, after OpenAI's own
  "gpt-5": { input: 1.25, cachedInput: 0.125, output: 10 },
  // https://developers.openai.com/api/docs/models/gpt-5-mini
  "gpt-5-mini": { input: 0.25, cachedInput: 0.025, output: 2 },
  // https://benchlm.ai/blog/posts/openai-api-pricing, April 2026, after OpenAI's own
  "gpt-5.2": { input: 1.75, cachedInput: 0.175, output: 14 },
  "gpt-5.4": { input: 2.5, cachedInput: 0.25, output: 15 },
  "gpt-5.4-mini": { input: 0.75, cachedInput: 0.075, output: 4.5 },
};

/**
 * Returns the user's own price with the longest name that fits, else a published one; `undefined` if none.
 */
export function priceOf(model: string, own: Prices = {}): Price | undefined {
  const [name] = Object.keys(own)
    .filter((key) => model.startsWith(key))
    .sort((a, b) => b.length - a.length);
  if (name !== undefined) return own[name];
  const base = model.replace(/-20\d\d-\d\d-\d\d$/, "");
  return Object.hasOwn(published, base) ? published[base] : undefined;
}

/** Returns the cost of one call in US dollars. */
export function costOf({ inputTokens, cachedTokens, outputTokens }: Usage, by: Price): number {
  const cached = Math.min(cachedTokens, inputTokens);
  const { input, cachedInput = input, output } = by;
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1e6;
}

/** A model whose usage events include the cost of the call, if the price of the model that it wraps is known. */
export class PricedModel implements LanguageModel {
  constructor(
    private readonly model: LanguageModel,
    /** Returns the user's own prices; called for every use. */
    private readonly own: () => Prices | undefined,
  ) {}

  get name(): string {
    return this.model.name;
  }

  get contextTokens(): number | undefined {
    return this.model.contextTokens;
  }

  async *respond(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for await (const event of this.model.respond(request, signal)) {
      const by = event.type === "usage" ? priceOf(this.model.name, this.own()) : undefined;
      if (event.type !== "usage" || by === undefined) yield event;
      else yield { ...event, usage: { ...event.usage, costUsd: costOf(event.usage, by) } };
    }
  }
}
