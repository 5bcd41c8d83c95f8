import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { english } from "../../../../src/core/text/translator.js";
import { endNotice, questionNotice } from "../../../../src/vscode/notices/noticeWords.js";

type Ended = Extract<ConversationEvent, { type: "sessionEnded" }>;

const at = "2026-11-24T08:00:00.000Z";
const ended = (taskId: string, end: Ended["end"], changedFiles = 0): Ended => {
  const mode = "rooroo-developer";
  const message = "See [here](command:evil)";
  return { type: "sessionEnded", at, taskId, mode, end, message, artifacts: [], changedFiles };
};
const goals: Readonly<Record<string, string>> = { A: "Fix [it](command:x)", B: "Test it" };
const notice = (...all: readonly Ended[]) =>
  endNotice(all, "c-1", (taskId) => goals[taskId], english);
const labels = (...all: readonly Ended[]) => notice(...all)?.buttons.map(({ label }) => label);

describe("a notice that a request has ended", () => {
  it("names the task by its goal, without links, and nothing that a model has said", () => {
    assert.equal(notice(ended("A", "Done"))?.text, "“Fix itcommand:x” is done.");
    const failed = notice(ended("B", "Failed"));
    assert.equal(failed?.text, "“Test it” has failed.");
    assert.equal(failed.isWarning, true);
    assert.equal(notice(ended("C", "Done"))?.text, "Developer is done.");
  });

  it("is one for all tasks of the request", () => {
    assert.equal(notice(ended("A", "Done"), ended("B", "Done"))?.text, "2 tasks are done.");
    const mixed = notice(ended("A", "Done"), ended("B", "Failed"));
    assert.equal(mixed?.text, "1 of 2 tasks have failed.");
  });

  it("offers to review what one task has changed", () => {
    assert.deepEqual(labels(ended("A", "Done", 2)), ["Show", "Review Changes"]);
    assert.deepEqual(labels(ended("A", "Done")), ["Show"]);
    assert.deepEqual(labels(ended("A", "Done", 1), ended("B", "Done", 1)), ["Show"]);
  });

  it("is none of what the user has stopped or is asked about", () => {
    assert.equal(notice(), undefined);
    assert.equal(notice(ended("A", "Stopped"), ended("B", "Waiting")), undefined);
  });
});

describe("a notice of a question", () => {
  it("says who asks, and offers to answer a task's question at once", () => {
    const question = { type: "question", at, questionId: "q", suggestions: [] } as const;
    const asked = { ...question, mode: "rooroo-planner", text: "Click [me](command:x)?" };
    const found = questionNotice({ ...asked, taskId: "A" }, "c-1", english);
    assert.equal(found.text, "Planner has a question for you.");
    assert.deepEqual(found.buttons, [
      { label: "Show", command: "rooroo.showConversation", about: "c-1" },
      { label: "Answer…", command: "rooroo.answer", about: "A" },
    ]);
    assert.equal(questionNotice({ ...asked, taskId: null }, "c-1", english).buttons.length, 1);
  });
});
