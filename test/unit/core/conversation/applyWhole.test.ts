import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { applyWhole } from "../../../../src/core/conversation/state/applyWhole.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { settle } from "../../../../src/core/conversation/state/settle.js";

const at = "2026-01-01T00:00:00.000Z";
const user = (id: string): ConversationEvent => ({ type: "user", at, id, text: id });
const started = (taskId: string): ConversationEvent => ({
  type: "sessionStarted",
  at,
  taskId,
  mode: "rooroo-developer",
  goal: "g",
});
const says = (messageId: string, type: "text" | "textDelta", text: string): ConversationEvent => ({
  type: "agent",
  at,
  taskId: "t",
  event: { type, messageId, text },
});

function stateOf(events: readonly ConversationEvent[]) {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  return state;
}

describe("applyWhole", () => {
  const early = [user("u1"), started("t"), says("m1", "text", "one")];
  const late = [user("u2"), started("t"), says("m2", "text", "two")];

  it("makes the conversation what all events make of it", () => {
    const state = stateOf(late);
    applyWhole(state, [...early, ...late]);
    assert.deepEqual(state, stateOf([...early, ...late]));
  });

  it("keeps a text that streams, and goes on with it", () => {
    const state = stateOf([...late, says("m3", "textDelta", "thr")]);
    applyWhole(state, [...early, ...late]);
    applyEvent(state, says("m3", "textDelta", "ee"));
    const { kind, text } = state.items.at(-1) as { kind: string; text: string };
    assert.deepEqual([kind, text], ["text", "three"]);
    assert.equal(state.items.length, stateOf([...early, ...late]).items.length + 1);
  });

  it("takes what has ended by the file's events as ended", () => {
    const state = stateOf([...late, says("m3", "textDelta", "thr")]);
    applyWhole(state, [...early, ...late, says("m3", "text", "three")]);
    assert.deepEqual(state, stateOf([...early, ...late, says("m3", "text", "three")]));
  });

  it("does not show as running what was marked as ended", () => {
    const state = stateOf(late);
    settle(state);
    applyWhole(state, [...early, ...late]);
    assert.deepEqual([...state.live], []);
  });
});
