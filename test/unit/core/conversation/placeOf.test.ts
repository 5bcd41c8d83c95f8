import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import {
  newConversation,
  itemById,
} from "../../../../src/core/conversation/state/conversationState.js";
import { placeOf, placeOfWork } from "../../../../src/core/conversation/state/placeOf.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { waitsForUser } from "../../../../src/core/conversation/state/waitsForUser.js";

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

  it("is no question of a brainstorm that the user has left", () => {
    const left = newConversation();
    const question = { questionId: "q", taskId, mode, text: "Which?", suggestions: [] };
    applyEvent(left, { type: "question", at, ...question });
    const waits = () => left.items.filter(waitsForUser).length;
    assert.equal(waits(), 1);
    applyEvent(left, { type: "questionClosed", at, questionId: "q" });
    assert.equal(waits(), 0);
  });
});

describe("the place of a run in the conversation", () => {
  it("is its proposal while that waits, else what was said last", () => {
    const state = newConversation();
    const work = { kind: "run", name: "run-1" } as const;
    const kind = () => itemById(state, placeOfWork(state.items, work) ?? "")?.kind;
    const content = { runId: "run-1", path: "p.md", request: "Bees", summary: "", problem: "" };
    const proposal = { ...content, intro: "", instructions: [], conflicts: [], questions: [] };
    applyEvent(state, { type: "proposal", at, proposalId: "p", ...proposal });
    applyEvent(state, { type: "sessionStarted", at, work, taskId, mode, goal: "Plan" });
    assert.equal(kind(), "proposal");
    const answered = { proposalId: "p", answer: "confirmed", words: "" } as const;
    applyEvent(state, { type: "proposalAnswered", at, ...answered });
    assert.equal(kind(), "task");
    const other = { kind: "run", name: "run-2" } as const;
    assert.equal(placeOfWork(state.items, other), undefined);
  });
});
