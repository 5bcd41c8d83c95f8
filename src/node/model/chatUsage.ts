import * as z from "zod";
import type { Usage } from "../../core/agent/messages.js";
import { modelServerAt } from "../../core/models/modelServers.js";
import { valueAt } from "./valueAt.js";

const count = z.number().min(0);

const totals = z.object({ prompt_tokens: count, completion_tokens: count });

/**
 * Paths at which servers report how much of the prompt came from their cache. Sources: the chat
 * completion references of OpenAI, DeepSeek and Moonshot; the last is Anthropic's name, which gateways
 * pass on.
 */
const cachePlaces: readonly (readonly string[])[] = [
  ["prompt_tokens_details", "cached_tokens"],
  ["prompt_cache_hit_tokens"],
  ["cached_tokens"],
  ["cache_read_input_tokens"],
];

/**
 * Reads the usage that a server reports; `undefined` if its token counts are missing or invalid. Never
 * throws.
 *
 * @param baseUrl the server's address: only OpenRouter's cost is read, which is in US dollars
 *   (https://openrouter.ai/docs/use-cases/usage-accounting); the unit of other servers is not known
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
