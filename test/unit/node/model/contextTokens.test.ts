import assert from "node:assert/strict";
import fc from "fast-check";
import { contextTokens } from "../../../../src/node/model/contextTokens.js";
import { contextTokensIn } from "../../../../src/node/model/contextTokens.js";

describe("contextTokens", () => {
  it("finds a model's window in what servers list", () => {
    const entries: [unknown, number | undefined][] = [
      [{ id: "a", max_model_len: 32_768 }, 32_768],
      [{ context_length: 131_072, top_provider: { context_length: 8_192 } }, 131_072],
      [{ loaded_context_length: 4_096, max_context_length: 131_072 }, 4_096],
      [{ context_window: 8_192 }, 8_192],
      [{ meta: { n_ctx_train: 4_096 } }, 4_096],
      [{ context_length: "many" }, undefined],
      [{ context_length: -1 }, undefined],
      [undefined, undefined],
    ];
    for (const [entry, tokens] of entries) {
      assert.equal(contextTokens(entry), tokens, JSON.stringify(entry));
    }
    fc.assert(fc.property(fc.anything(), (entry) => void contextTokens(entry)));
  });

  it("finds it in what servers say of something too long", () => {
    const refusals: [string, number | undefined][] = [
      [
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 9021 tokens.",
        8_192,
      ],
      ["prompt is too long: 215,000 tokens > maximum of 200,000 tokens", 200_000],
      ["the request exceeds the available context size (4096 tokens), try increasing it", 4_096],
      [
        "Trying to keep the first 5000 tokens when context the overflows. Context length is 4096",
        4_096,
      ],
      ["The input is too long.", undefined],
      ["", undefined],
    ];
    for (const [text, tokens] of refusals) assert.equal(contextTokensIn(text), tokens, text);
    fc.assert(fc.property(fc.string(), (text) => void contextTokensIn(text)));
  });
});
