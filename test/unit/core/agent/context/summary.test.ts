import assert from "node:assert/strict";
import { summaryRequest } from "../../../../../src/core/agent/context/summary.js";

describe("a request for a summary", () => {
  it("is cut between characters, wherever what it has room for ends", () => {
    const messages = Array.from({ length: 20 }, () => ({
      role: "user" as const,
      content: "\u{1F600}".repeat(100),
    }));
    for (let most = 600; most < 612; most++) {
      const [, work] = summaryRequest(messages, most);
      assert.match(work?.content ?? "", /a part is left out/);
      assert.doesNotMatch(work?.content ?? "", /\p{Surrogate}/u, `${most} characters`);
    }
  });
});
