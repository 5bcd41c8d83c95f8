import assert from "node:assert/strict";
import type { Item } from "../../../src/core/conversation/state/items.js";
import { isThinking } from "../../../src/webview/transcript/thinking.js";

const base = { id: "x", at: "2026-01-01T00:00:00.000Z", taskId: "t" };
const text = (streaming: boolean): Item => ({ ...base, kind: "text", text: "Hm", streaming });
const question = (more: object = {}): Item => ({
  ...base,
  kind: "question",
  mode: "m",
  text: "?",
  suggestions: [],
  ...more,
});

describe("isThinking", () => {
  it("is told while work goes on of which nothing is shown", () => {
    assert.equal(isThinking([], true), true);
    assert.equal(isThinking([text(false)], true), true);
    assert.equal(isThinking([text(false)], false), false);
  });

  it("is not told while something streams, runs, or waits for the user", () => {
    assert.equal(isThinking([text(true)], true), false);
    assert.equal(isThinking([question()], true), false);
    assert.equal(isThinking([question({ answer: "Yes" })], true), true);
    assert.equal(isThinking([question({ closed: true })], true), true);
  });
});
