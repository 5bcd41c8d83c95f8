import assert from "node:assert/strict";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import type { JobOverview } from "../../../../src/core/jobs/facts/jobOverview.js";
import { english } from "../../../../src/core/text/translator.js";
import { jobCards } from "../../../../src/vscode/jobs/jobCards.js";

describe("the cards of the jobs' questions", () => {
  /** Returns a conversation, and what it is told when the job file has this question. */
  function conversation() {
    const state = newConversation();
    const missing = new Set<string>();
    return (answer?: string | null) => {
      const questions =
        answer === undefined ? [] : [{ id: "Q-1", text: "Which?", line: 1, answer }];
      const jobs = [{ questions } as unknown as JobOverview];
      const events = jobCards(jobs, state, missing, english);
      for (const event of events) {
        applyEvent(state, { at: "2026-01-01T00:00:00.000Z", ...event });
      }
      return events.map((event) => (event.type === "answered" ? event.text : event.type));
    };
  }

  it("are shown once, and closed with the answer that the file has", () => {
    const files = conversation();
    assert.deepEqual(
      [files(null), files(null), files("So."), files("So.")],
      [["question"], [], ["So."], []],
    );
  });

  it("are closed when the file lacks the question twice in a row", () => {
    const files = conversation();
    files(null);
    assert.deepEqual([files(), files()], [[], ["This question is no longer asked."]]);
  });
});
