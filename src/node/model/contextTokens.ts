import * as z from "zod";

const whole = z.int().min(256).max(100_000_000);

/**
 * Paths at which servers that list their models give the size of a model's context window. The size
 * that a model was trained with comes last, because a server may run it with another one.
 */
const places: readonly (readonly string[])[] = [
  ["max_model_len"], // vLLM
  ["loaded_context_length"], // LM Studio
  ["context_length"], // OpenRouter, Together
  ["context_window"], // Groq
  ["max_input_tokens"], // Anthropic
  ["max_context_length"], // Mistral, LM Studio
  ["max_context_window_tokens"],
  ["limits", "max_context_window_tokens"],
  ["top_provider", "context_length"],
  ["meta", "n_ctx"], // llama.cpp
  ["meta", "n_ctx_train"],
];

/**
 * Returns the tokens of a model's context window from its entry in a server's list; `undefined` if the
 * entry does not say. Never throws.
 */
export function contextTokens(entry: unknown): number | undefined {
  for (const place of places) {
    const parsed = whole.safeParse(valueAt(entry, place));
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

/** Returns the value at a path of keys in data that came from outside; `undefined` if there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    at = typeof at === "object" && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  }
  return at;
}
