import assert from "node:assert/strict";
import { malformedReplies, outcomeOf } from "./malformedReplies.js";

describe("malformed replies", () => {
  const counts = { recovered: 0, "asked again": 0, text: 0, wrong: 0 };

  for (const [index, reply] of malformedReplies.entries()) {
    const shown = JSON.stringify(reply.text ?? reply.native).slice(0, 70);
    it(`${reply.kind} (${reply.source}): ${index + 1} ${shown}`, async () => {
      const outcome = await outcomeOf(reply);
      counts[outcome]++;
      assert.equal(outcome, reply.expect);
    });
  }

  it("are many, and none was put right wrongly", function () {
    assert.ok(malformedReplies.length >= 200);
    assert.equal(counts.wrong, 0);
    const share = (count: number) =>
      `${count} (${Math.round((100 * count) / malformedReplies.length)} %)`;
    this.test!.title += `: ${malformedReplies.length} replies, ${share(counts.recovered)} recovered, ${share(counts["asked again"])} asked again, ${share(counts.text)} left as text`;
  });
});
