import assert from "node:assert/strict";
import fc from "fast-check";
import { readUsage, usageFieldText } from "../../../../../src/core/jobs/documents/usageField.js";
import { noSessionUsage } from "../../../../../src/core/ports/messages.js";

describe("the Usage of an entry", () => {
  it("is read as it is written", () => {
    const count = fc.integer({ min: 0, max: 2_000_000_000 });
    // Costs are written in hundredths of a cent.
    const cost = fc.integer({ min: 1, max: 99_999_999 }).map((parts) => parts / 10_000);
    fc.assert(
      fc.property(count, count, count, fc.option(cost), count, (calls, input, output, usd, ms) => {
        const usage = { ...noSessionUsage, calls, inputTokens: input, outputTokens: output };
        const text = usageFieldText({ ...usage, costUsd: usd ?? undefined }, ms);
        const read = readUsage(text);
        assert.deepEqual([read.requests, read.tokens, read.cost], [calls, input + output, usd]);
        assert.ok(read.ms !== null);
        assert.equal(
          usageFieldText(
            {
              ...usage,
              costUsd: read.cost ?? undefined,
              inputTokens: read.tokens ?? 0,
              outputTokens: 0,
            },
            read.ms,
          ),
          text,
        );
      }),
    );
  });

  it("is read as earlier versions and people wrote it, and what it does not say is left out", () => {
    assert.deepEqual(readUsage("3 min 20 s, 14 requests, 44,300 tokens, $0.12"), {
      ms: 200_000,
      requests: 14,
      tokens: 44_300,
      cost: 0.12,
    });
    assert.deepEqual(readUsage("0 s, 1 request, 1 token, <$0.0001"), {
      ms: 0,
      requests: 1,
      tokens: 1,
      cost: null,
    });
    const nothing = { ms: null, requests: null, tokens: null, cost: null };
    for (const text of ["", "cheap", "many requests, about 5000 tokens", "-3 requests", "$,"]) {
      assert.deepEqual(readUsage(text), nothing, text);
    }
    assert.deepEqual(readUsage("7 requests and more, 5 tokens"), { ...nothing, tokens: 5 });
  });
});
