import type { FinishReason } from "../../core/ports/model.js";

/**
 * What servers call the ends of replies, in small letters; those of Gemini's and Bedrock's gateways, too, which pass on the
 * words of the server behind them.
 */
const words: Readonly<Record<FinishReason | "failed", readonly string[]>> = {
  toolCalls: ["tool_calls", "tool_call", "tool_use", "function_call"],
  stop: ["stop", "end_turn", "stop_sequence", "eos", "eos_token"],
  length: ["length", "max_tokens", "max_output_tokens", "max_completion_tokens"],
  // Mistral; Anthropic and Z.ai.
  overflowed: ["model_length", "model_context_window_exceeded"],
  filtered: [
    "content_filter",
    "content_filtered",
    "refusal",
    "sensitive", // Z.ai
    "guardrail_intervened", // Bedrock
    // Gemini
    "safety",
    "recitation",
    "prohibited_content",
    "blocklist",
    "spii",
  ],
  failed: [
    "error", // OpenRouter
    "insufficient_system_resource", // DeepSeek
    "network_error", // Z.ai
    "abort", // vLLM, SGLang
    // Gemini
    "malformed_function_call",
    "function_call_filter: malformed_function_call",
  ],
  unknown: [],
};
const reasons = new Map(
  Object.entries(words).flatMap(([reason, all]) =>
    all.map((word) => [word, reason as keyof typeof words] as const),
  ),
);

/** Returns why a reply has ended, by the word of its server; `"failed"` if the server has not come to its end. */
export function finishReason(word: string): FinishReason | "failed" {
  return reasons.get(word.toLowerCase()) ?? "unknown";
}
