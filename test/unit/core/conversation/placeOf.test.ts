import assert from "node:assert/strict";
import { newConversation } from "../../../../src/core/conversation/conversationState.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events.js";
import { itemById } from "../../../../src/core/conversation/conversationState.js";
import { placeOf } from "../../../../src/core/conversation/placeOf.js";
import { applyEvent } from "../../../../src/core/conversation/reduce.js";

const at = "2026-01-01T00:00:00.000Z";
const taskId = "ROO#TASK_1";
const mode = "rooroo-developer";

describe("the place of a task in the conversation", () => {
  const state = newConversation();
  const kindAfter = (event: ConversationEvent) => {
    applyEvent(state, event);
    return itemById(state, placeOf(state.items, taskId) ?? "")?.kind;
  };

  it("is what waits for the user, else its end, else what it did last", () => {
    assert.equal(kindAfter({ type: "user", at, id: "u", text: "Do it" }), undefined);
    assert.equal(kindAfter({ type: "sessionStarted", at, taskId, mode, goal: "Do it" }), "task");
    const text = { type: "text", messageId: "m", text: "I look." } as const;
    assert.equal(kindAfter({ type: "agent", at, taskId, event: text }), "text");
    const question = { questionId: "q", taskId, mode, text: "Which?", suggestions: [] };
    assert.equal(kindAfter({ type: "question", at, ...question }), "question");
    const waits = { taskId, mode, end: "Waiting", message: "", artifacts: [] } as const;
    assert.equal(kindAfter({ type: "sessionEnded", at, ...waits, waitsFor: "answer" }), "question");
    kindAfter({ type: "answered", at, questionId: "q", text: "This" });
    kindAfter({ type: "sessionStarted", at, taskId, mode, goal: "Do it" });
    const done = { taskId, mode, end: "Done", message: "Did it.", artifacts: [] } as const;
    assert.equal(kindAfter({ type: "sessionEnded", at, ...done }), "report");
    assert.equal(kindAfter({ type: "sessionStarted", at, taskId, mode, goal: "Do it" }), "task");
  });
});
