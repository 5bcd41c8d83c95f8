import assert from "node:assert/strict";
import fc from "fast-check";
import { factsText } from "../../../../src/core/models/modelFacts.js";
import { listedFacts } from "../../../../src/node/model/listedFacts.js";

/** Entries as the servers' references show them, and how they are shown. */
const entries: readonly (readonly [server: string, entry: object, text: string])[] = [
  ["OpenAI", { object: "model", created: 1, owned_by: "openai" }, ""],
  [
    "OpenRouter",
    {
      context_length: 1_047_576,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      pricing: { prompt: "0.000002", completion: "0.000008", input_cache_read: "0.0000005" },
      top_provider: { context_length: 1_047_576 },
      supported_parameters: ["max_tokens", "tools", "tool_choice"],
    },
    "1.05M tokens · calls tools · sees images · $2.00 in, $8.00 out per million",
  ],
  [
    "OpenRouter, a free model without tools",
    {
      context_length: 32_768,
      architecture: { input_modalities: ["text"] },
      pricing: { prompt: "0", completion: "0" },
      supported_parameters: ["max_tokens"],
    },
    "32k tokens · no tool calling · free",
  ],
  ["OpenRouter, whose price depends", { pricing: { prompt: "-1", completion: "-1" } }, ""],
  [
    "Mistral",
    {
      max_context_length: 131_072,
      capabilities: { completion_chat: true, function_calling: true, vision: false },
    },
    "128k tokens · calls tools",
  ],
  ["vLLM", { owned_by: "vllm", max_model_len: 32_768 }, "32k tokens"],
  ["Groq", { context_window: 131_072, active: true }, "128k tokens"],
  [
    "LM Studio, its own list",
    {
      type: "vlm",
      state: "loaded",
      loaded_context_length: 8_192,
      max_context_length: 131_072,
      capabilities: ["tool_use"],
    },
    "8k tokens · calls tools · sees images",
  ],
  ["llama.cpp", { owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }, "128k tokens"],
];

describe("what a server's list says of a model", () => {
  for (const [server, entry, text] of entries) {
    it(`is read: ${server}`, () => {
      assert.equal(factsText(listedFacts("m", { id: "m", ...entry })), text);
    });
  }

  it("keeps a price's digits, and the one of the cache", () => {
    const pricing = {
      prompt: "0.00000025",
      completion: "0.000002",
      input_cache_read: "0.000000025",
    };
    const { price } = listedFacts("m", { pricing });
    assert.deepEqual(price, { input: 0.25, output: 2, cachedInput: 0.025 });
  });

  it("may be anything at all", () => {
    fc.assert(fc.property(fc.anything(), (entry) => void factsText(listedFacts("m", entry))));
    const odd = fc.record(
      {
        pricing: fc.dictionary(fc.constantFrom("prompt", "completion"), fc.anything()),
        capabilities: fc.anything(),
        supported_parameters: fc.anything(),
        architecture: fc.anything(),
        context_length: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(odd, (entry) => void factsText(listedFacts("m", entry))));
  });
});
