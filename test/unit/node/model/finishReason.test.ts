import assert from "node:assert/strict";
import { finishReason } from "../../../../src/node/model/finishReason.js";

describe("the end of a reply", () => {
  const said: Readonly<Record<ReturnType<typeof finishReason>, readonly string[]>> = {
    toolCalls: ["tool_calls", "tool_use", "function_call"],
    stop: ["stop", "STOP", "end_turn", "eos_token"],
    length: ["length", "LENGTH", "max_tokens", "MAX_TOKENS", "max_output_tokens"],
    overflowed: ["model_length", "model_context_window_exceeded"],
    filtered: [
      "content_filter",
      "content_filtered",
      "SAFETY",
      "RECITATION",
      "refusal",
      "sensitive",
    ],
    failed: ["error", "network_error", "abort", "function_call_filter: MALFORMED_FUNCTION_CALL"],
    unknown: ["", "pause_turn", "constructor", "other"],
  };
  for (const [reason, all] of Object.entries(said)) {
    it(`is "${reason}" in the words of each server that says so`, () => {
      for (const word of all) assert.equal(finishReason(word), reason, word);
    });
  }
});
