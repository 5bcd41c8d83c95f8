import assert from "node:assert/strict";
import { UserError } from "../../src/core/errors.js";
import type { Patterns } from "../../src/core/ports/search.js";
import { TimedPatterns } from "../../src/node/search/timedPatterns.js";
import { PlainPatterns } from "../fakes/plainPatterns.js";

/** Defines the tests of what every {@link Patterns} promises. */
function patternsContract(patterns: Patterns): void {
  const find = (source: string, flags: string, texts: string[], limit = Infinity) =>
    patterns
      .find({ source, flags }, texts, limit)
      .map(({ text, start, end }) => `${text}:${start}-${end}`);

  it("[R-ENV-13] finds every place in every text, in order", () => {
    assert.deepEqual(find("a+", "", ["baab a", "", "A", "a"]), ["0:1-3", "0:5-6", "3:0-1"]);
    assert.deepEqual(find("a", "gi", ["aA"]), ["0:0-1", "0:1-2"]);
    assert.deepEqual(find("$", "m", ["x\ny"]), ["0:1-1", "0:3-3"]);
    assert.deepEqual(find("😀.", "", ["a😀b"]), ["0:1-4"]);
  });

  it("stops at its limit", () => {
    assert.deepEqual(find("a", "", ["aaa", "a"], 2), ["0:0-1", "0:1-2"]);
  });

  it("[R-ENV-13] takes needless escapes, and says what it cannot read", () => {
    assert.deepEqual(find("\\-", "", ["-"]), ["0:0-1"]);
    for (const [source, flags] of [
      ["(", ""],
      ["a", "q"],
    ] as const) {
      assert.throws(() => find(source, flags, ["a"]), UserError, `/${source}/${flags}`);
    }
  });
}

describe("Patterns: plain", () => {
  patternsContract(new PlainPatterns());
});

describe("Patterns: timed", () => {
  patternsContract(new TimedPatterns());

  it("gives up an expression that takes for ever", () => {
    const text = `${"a".repeat(50)}!`;
    assert.throws(() => new TimedPatterns().find({ source: "(a+)+$", flags: "" }, [text], 1), {
      code: "patternTooSlow",
      params: { source: "(a+)+$" },
    });
  });
});
