import assert from "node:assert/strict";
import { ContextMeter } from "../../../../../src/core/agent/context/contextMeter.js";
import type { ModelMessage } from "../../../../../src/core/ports/messages.js";

/** Returns a conversation with so many images in results. */
const conversation = (images: number): ModelMessage[] => [
  { role: "user", content: "x".repeat(7_000) },
  {
    role: "tool",
    callId: "c",
    content: "Seen.",
    images: Array.from({ length: images }, (_, index) => ({ path: `${index}`, name: `${index}` })),
  },
];

describe("the images in the measure of a conversation", () => {
  it("are counted, those of messages and of results, but no more than are sent", () => {
    const meter = new ContextMeter();
    const sizes = [0, 1, 3, 20, 50].map((count) => meter.tokens(conversation(count)));
    const [none = 0] = sizes;
    assert.deepEqual(
      sizes.map((size) => size - none),
      [0, 1_000, 3_000, 20_000, 20_000],
    );
    const image = { path: "a", name: "a" };
    const asked: ModelMessage[] = [{ role: "user", content: "", images: [image] }];
    assert.equal(meter.tokensOf(asked) - meter.tokensOf([{ role: "user", content: "" }]), 1_000);
  });

  it("take what the server's counts say, which is kept apart from the text", () => {
    for (const [each, learned] of [
      [300, 300],
      [0, 0],
      [1_600, 1_600],
      [4_000, 3_000],
    ] as const) {
      const meter = new ContextMeter();
      const text = meter.tokens(conversation(0));
      meter.calibrate(conversation(0), text);
      meter.calibrate(conversation(4), text + 4 * each);
      assert.equal(meter.tokens(conversation(4)), text + 4 * each, `${each} each`);
      if (each === learned) assert.equal(meter.tokens(conversation(0)), text, `${each} each`);
      const image: ModelMessage[] = [
        { role: "user", content: "", images: [{ path: "a", name: "a" }] },
      ];
      const rest = meter.tokensOf([{ role: "user", content: "" }]);
      assert.equal(meter.tokensOf(image) - rest, learned, `${each} each`);
    }
  });

  it("have the first count as their sum with the text", () => {
    const meter = new ContextMeter();
    meter.calibrate(conversation(2), 2_000);
    assert.ok(Math.abs(meter.tokens(conversation(2)) - 2_000) <= 1);
  });
});
