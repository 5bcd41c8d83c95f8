import * as z from "zod";
import type { Usage } from "../core/agent/messages.js";
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

/** `undefined` where the server does not say, or says nothing that can be added up. Never throws. */
export function chatUsage(usage: unknown): Usage | undefined {
  const read = totals.safeParse(usage);
  if (!read.success) return undefined;
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = read.data;
  return { inputTokens, outputTokens, cachedTokens: Math.min(cachedIn(usage), inputTokens) };
}

function cachedIn(usage: unknown): number {
  for (const place of cachePlaces) {
    const read = count.safeParse(valueAt(usage, place));
    if (read.success) return read.data;
  }
  return 0;
}
