import assert from "node:assert/strict";
import { inEnglish } from "../../../../src/core/conversation/events/draftedEvents.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { eventSchema } from "../../../../src/core/conversation/events/eventSchema.js";
import { inLanguage } from "../../../../src/core/conversation/events/eventWords.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { translator } from "../../../../src/core/text/translator.js";
import { words } from "../../../../src/core/text/words.js";

const german = translator("de", {
  "{job}: {why}": "{job}: {why}",
  "Stopped. Run it again.": "Gestoppt. Führen Sie es erneut aus.",
  Resume: "Fortsetzen",
});

const notice = inEnglish<ConversationEvent>({
  type: "notice",
  at: "2025-01-02T03:04:05.000Z",
  id: "n-1",
  level: "info",
  text: words("{job}: {why}", { job: "{why} Resume", why: words("Stopped. Run it again.") }),
  steps: [{ type: "command", label: words("Resume"), command: "openQueue" }],
});

/** Returns what a line of the file that says this is read as. */
function stored(value: unknown): ConversationEvent {
  return eventSchema.parse(JSON.parse(JSON.stringify(value)));
}

function shown(event: ConversationEvent): { text: string; label: string | undefined } {
  const state = newConversation(german);
  applyEvent(state, event);
  const [item] = state.items;
  assert.ok(item?.kind === "notice");
  return { text: item.text, label: item.steps[0]?.label };
}

describe("the words of events", () => {
  it("are stored in English, and beside it what they are made of", () => {
    assert.ok(notice.type === "notice");
    assert.equal(notice.text, "{why} Resume: Stopped. Run it again.");
    assert.equal(notice.steps[0]?.label, "Resume");
    assert.deepEqual(Object.keys(notice.said ?? {}), ["text", "steps.0.label"]);
    assert.deepEqual(stored(notice), notice);
  });

  it("are shown in a person's language, with values as they are", () => {
    assert.deepEqual(shown(stored(notice)), {
      text: "{why} Resume: Gestoppt. Führen Sie es erneut aus.",
      label: "Fortsetzen",
    });
  });

  it("are shown as the file says where that is something else, or nothing that is known", () => {
    const { said, ...old } = notice;
    assert.ok(said !== undefined);
    const english = { text: "{why} Resume: Stopped. Run it again.", label: "Resume" };
    assert.deepEqual(shown(stored(old)), english);
    for (const forged of [
      { text: { template: "Resume", params: {} } },
      { text: { template: "Unknown", params: {} } },
      { "steps.0.action.__proto__.label": { template: "Resume", params: {} }, id: said["text"] },
      { text: { template: "Resume", params: { x: { template: 1 } } } },
      "nothing",
    ]) {
      assert.deepEqual(shown(stored({ ...old, said: forged })), english);
    }
  });

  it("stay when the event is passed on", () => {
    assert.deepEqual(inEnglish(notice), notice);
    const { said, ...plain } = notice;
    assert.ok(said !== undefined);
    assert.equal(inLanguage(plain as ConversationEvent, german), plain);
  });
});
