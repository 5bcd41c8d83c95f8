import assert from "node:assert/strict";
import { ContextMeter } from "../../../../../src/core/agent/context/contextMeter.js";
import type { ModelMessage } from "../../../../../src/core/ports/messages.js";

/** A conversation of about so many tokens by the estimate, with what is sent beside it. */
const conversation = (tokens: number): readonly ModelMessage[] => [
  { role: "user", content: "word ".repeat(((tokens - 1_500) * 3.5) / 5) },
];

const isNear = (actual: number, expected: number) => {
  assert.ok(Math.abs(actual - expected) < expected / 20, `${actual}, not about ${expected}`);
};

describe("the measure of a conversation", () => {
  it("follows the server's count, be it lower or higher than the estimate", () => {
    for (const factor of [0.5, 0.8, 1.4, 3.6]) {
      const meter = new ContextMeter();
      assert.equal(meter.calibrate(conversation(10_000), factor * 10_000), true);
      isNear(meter.tokens(conversation(30_000)), factor * 30_000);
    }
  });

  it("does not follow a count that cannot be: none, or only what the server's cache did not have", () => {
    const meter = new ContextMeter();
    for (const tokens of [0, 12, 1_900]) {
      assert.equal(meter.calibrate(conversation(10_000), tokens), false, String(tokens));
    }
    isNear(meter.tokens(conversation(10_000)), 10_000);
    meter.calibrate(conversation(10_000), 14_000);
    assert.equal(meter.calibrate(conversation(12_000), 30), false);
    isNear(meter.tokens(conversation(20_000)), 28_000);
  });

  it("does not follow a server that begins to cut the conversation silently", () => {
    const meter = new ContextMeter();
    meter.calibrate(conversation(4_000), 4_000);
    for (const size of [9_000, 20_000, 36_000]) {
      assert.equal(meter.calibrate(conversation(size), 4_096), false, String(size));
    }
    isNear(meter.tokens(conversation(36_000)), 36_000);
  });

  it("goes back to what a server counted before it cut the conversation, however slowly that grew", () => {
    const meter = new ContextMeter();
    for (const size of [4_000, 5_500, 7_000, 8_000]) {
      assert.equal(meter.calibrate(conversation(size), Math.min(size, 4_096)), true, String(size));
    }
    assert.equal(meter.calibrate(conversation(9_000), 4_096), false);
    isNear(meter.tokens(conversation(36_000)), 36_000);
    isNear((meter.learnt ?? 0) * 1_000, 1_000);
  });

  it("bears that the tools are most of a first request", () => {
    const meter = new ContextMeter();
    const messages = conversation(2_000);
    meter.tools("tool".repeat(14_000));
    assert.equal(meter.calibrate(messages, 16_500), true);
    assert.equal(meter.calibrate(conversation(40_000), 54_000), true);
  });

  it("learns from a refusal's number, however far that is from the estimate", () => {
    const meter = new ContextMeter();
    meter.refused(conversation(10_000), 36_000);
    isNear(meter.tokens(conversation(20_000)), 72_000);
    assert.ok(Math.abs((meter.learnt ?? 0) - 3.6) < 0.1);
    isNear(new ContextMeter(meter.learnt).tokens(conversation(20_000)), 72_000);
  });
});
