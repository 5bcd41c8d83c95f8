import assert from "node:assert/strict";
import { itemById, newConversation } from "../../../../src/core/conversation/conversationState.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events.js";
import { applyEvent } from "../../../../src/core/conversation/reduce.js";
import { offerUnfinished } from "../../../../src/core/conversation/reduceRestored.js";
import { settle } from "../../../../src/core/conversation/settle.js";

const at = "2026-01-01T00:00:00.000Z";
const begun: readonly ConversationEvent[] = [
  { type: "user", at, id: "u1", text: "Shout" },
  {
    type: "restored",
    at,
    restoreId: "r1",
    scope: "both",
    messageId: "u1",
    messageAt: at,
    title: "Shout",
    text: "Restoring has not finished.",
    tasks: [],
    unfinished: [],
  },
];
const ended: ConversationEvent = {
  type: "restoreEnded",
  at,
  restoreId: "r1",
  level: "info",
  text: "Restored.",
};

function stateOf(events: readonly ConversationEvent[]) {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  return state;
}

function shown(state: ReturnType<typeof newConversation>): readonly string[] {
  const notice = itemById(state, "r1");
  assert.ok(notice?.kind === "notice");
  return [notice.text, ...notice.steps.map(({ label }) => label)];
}

describe("a restore in the conversation", () => {
  it("is under way until it ends, and then offers to be undone", () => {
    assert.deepEqual(shown(stateOf(begun)), ["Restoring…"]);
    assert.deepEqual(shown(stateOf([...begun, ended])), ["Restored.", "Undo Restore"]);
  });

  it("says that it has not finished, with what to do, when it was cut off", () => {
    const unfinished = ["Restoring has not finished.", "Finish Restore", "Undo Restore"];
    for (const cutOff of [offerUnfinished, settle]) {
      const state = stateOf(begun);
      assert.equal(cutOff(state).length, 1);
      assert.deepEqual(shown(state), unfinished);
      applyEvent(state, ended);
      assert.deepEqual(shown(state), ["Restored.", "Undo Restore"]);
      assert.deepEqual(cutOff(state), []);
    }
  });
});
