import assert from "node:assert/strict";
import fc from "fast-check";
import { contextTokens } from "../../../../src/node/model/contextTokens.js";

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
});
