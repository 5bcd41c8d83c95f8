import assert from "node:assert/strict";
import fc from "fast-check";
import { chatUsage } from "../../../../src/node/model/chatEvents.js";

describe("chatUsage", () => {
  it("reads what came from the cache, however the server spells it", () => {
    const counts = { prompt_tokens: 100, completion_tokens: 5 };
    const spellings: [object, number][] = [
      [{}, 0],
      [{ prompt_tokens_details: { cached_tokens: 64 } }, 64],
      [{ prompt_tokens_details: null }, 0],
      [{ prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }, 64],
      [{ prompt_tokens_details: {}, prompt_cache_hit_tokens: 64 }, 64],
      [{ cached_tokens: 64 }, 64],
      [{ cache_read_input_tokens: 64, cache_creation_input_tokens: 0 }, 64],
      [{ cached_tokens: "64" }, 0],
    ];
    for (const [more, cachedTokens] of spellings) {
      assert.deepEqual(
        chatUsage({ ...counts, ...more }),
        { inputTokens: 100, outputTokens: 5, cachedTokens },
        JSON.stringify(more),
      );
    }
  });

  it("adds what came from the cache where a server counts it beside the rest", () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, cache_read_input_tokens: 4_000 };
    assert.equal(chatUsage(usage)?.inputTokens, 4_100);
    assert.equal(chatUsage({ ...usage, cache_creation_input_tokens: 300 })?.inputTokens, 4_400);
  });

  it("counts whole tokens", () => {
    const usage = { prompt_tokens: 100.4, completion_tokens: 2.5, cached_tokens: 0.6 };
    assert.deepEqual(chatUsage(usage), { inputTokens: 100, outputTokens: 3, cachedTokens: 1 });
  });

  it("takes the cost of a call from OpenRouter, whose unit is known", () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, cost: 0.00125 };
    const cost = (baseUrl?: string, more = {}) =>
      chatUsage({ ...usage, ...more }, baseUrl)?.costUsd;
    assert.equal(cost("https://openrouter.ai/api/v1"), 0.00125);
    assert.equal(cost("https://openrouter.ai/api/v1", { cost: "much" }), undefined);
    assert.equal(cost("https://example.com/v1"), undefined);
    assert.equal(cost(), undefined);
  });

  it("says nothing where the numbers are missing or none, and never throws", () => {
    for (const usage of [null, undefined, {}, { prompt_tokens: "1", completion_tokens: 2 }, "x"]) {
      assert.equal(chatUsage(usage), undefined);
    }
    fc.assert(
      fc.property(fc.anything(), (usage) => {
        const read = chatUsage(usage);
        assert.ok(read === undefined || read.cachedTokens <= read.inputTokens);
      }),
    );
  });
});
