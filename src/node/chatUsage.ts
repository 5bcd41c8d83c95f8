import * as z from "zod";
import type { Usage } from "../core/agent/messages.js";
import { modelServerAt } from "../core/models/modelServers.js";
import { valueAt } from "./valueAt.js";

const count = z.number().min(0);

const totals = z.object({ prompt_tokens: count, completion_tokens: count });

/**
 * Where servers say how much of the prompt came from their cache. Sources: OpenAI's, DeepSeek's and
 * Moonshot's references of chat completions; Anthropic's name, which gateways hand on.
 */
const cachePlaces: readonly (readonly string[])[] = [
  ["prompt_tokens_details", "cached_tokens"],
  ["prompt_cache_hit_tokens"],
  ["cached_tokens"],
  ["cache_read_input_tokens"],
];

/**
 * `undefined` where the server does not say, or says nothing that can be added up. Never throws.
 *
 * @param baseUrl OpenRouter says what a call cost, in US dollars
 *   (https://openrouter.ai/docs/use-cases/usage-accounting); of others the unit is not known
 */
export function chatUsage(usage: unknown, baseUrl = ""): Usage | undefined {
  const read = totals.safeParse(usage);
  if (!read.success) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = read.data;
  const cachedTokens = Math.min(cachedIn(usage), inputTokens);
  const cost = count.safeParse(valueAt(usage, ["cost"]));
  const isDollars = modelServerAt(baseUrl)?.name === "OpenRouter";
  return {
    inputTokens,
    outputTokens,
    cachedTokens,
    ...(isDollars && cost.success ? { costUsd: cost.data } : {}),
  };
}

function cachedIn(usage: unknown): number {
  for (const place of cachePlaces) {
    const read = count.safeParse(valueAt(usage, place));
    if (read.success) return read.data;
  }
  return 0;
}
