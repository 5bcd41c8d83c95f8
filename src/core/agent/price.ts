import * as z from "zod";
import type { LanguageModel } from "../ports/model.js";
import type { SessionUsage, Usage } from "../ports/messages.js";

/** US dollars per million tokens. */
export const price = z.object({
  input: z.number().nonnegative(),
  /** Price of input from the server's cache. Absent: the price of other input. */
  cachedInput: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});
export type Price = z.infer<typeof price>;

/** Prices by a model's name, or by a prefix of several models' names. */
export type Prices = Readonly<Record<string, Price>>;

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

/** Adds costs in US dollars; `undefined` if one of them is unknown. */
export function addCosts(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

/** Adds what two pieces of work used; the cost is unknown if one of them is. */
export function addUsage(a: SessionUsage, b: SessionUsage): SessionUsage {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cachedTokens: a.cachedTokens + b.cachedTokens,
    costUsd: addCosts(a.costUsd, b.costUsd),
    workedMs: a.workedMs + b.workedMs,
  };
}

/** Wraps a model so that its usage events include the cost of the call, if the model's price is known. */
export function pricedModel(model: LanguageModel, own: () => Prices | undefined): LanguageModel {
  return {
    get name() {
      return model.name;
    },
    get contextTokens() {
      return model.contextTokens;
    },
    async *respond(request, signal) {
      for await (const event of model.respond(request, signal)) {
        const by = event.type === "usage" ? priceOf(model.name, own()) : undefined;
        if (event.type !== "usage" || by === undefined) yield event;
        else yield { ...event, usage: { ...event.usage, costUsd: costOf(event.usage, by) } };
      }
    },
  };
}
