import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { NextStep } from "../../../../src/core/conversation/events/events.js";
import { english } from "../../../../src/core/text/translator.js";
import {
  chatAction,
  chatCommands,
  chatMetadata,
  followups,
} from "../../../../src/vscode/chat/chatInput.js";

const manifest = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../../../../package.json", import.meta.url)), "utf8"),
) as { contributes: { chatParticipants: readonly { commands: readonly { name: string }[] }[] } };

describe("what is said to @rooroo", () => {
  it("has the commands that the manifest names, each with its goal", () => {
    const [participant] = manifest.contributes.chatParticipants;
    assert.deepEqual(
      participant?.commands.map(({ name }) => name),
      chatCommands,
    );
    assert.deepEqual(chatAction("plan", " Export "), { action: "plan", goal: "Export" });
    const developer = { action: "doTask", expert: "rooroo-developer", goal: "Fix" };
    assert.deepEqual(chatAction("do", "Fix"), developer);
    assert.deepEqual(chatAction("ask", "Why?"), {
      ...developer,
      expert: "rooroo-analyzer",
      goal: "Why?",
    });
    assert.deepEqual(chatAction("queue", "Later"), { action: "queueTask", goal: "Later" });
    assert.deepEqual(chatAction("proceed", ""), { action: "proceed", one: false });
    assert.equal(chatAction("plan", " "), undefined);
  });

  it("offers a question's answers, else the steps that were offered, as messages", () => {
    const steps: NextStep[] = [
      { type: "action", label: "Plan It", action: { action: "plan", goal: "Export" } },
      { type: "action", label: "Proceed", action: { action: "proceed", one: false } },
      { type: "action", label: "Resume", action: { action: "resume", taskId: "ROO#1" } },
      { type: "command", label: "Open Queue", command: "openQueue" },
    ];
    assert.deepEqual(followups(undefined, steps, english), [
      { prompt: "Export", command: "plan", label: "Plan It" },
      { prompt: "", command: "proceed", label: "Proceed" },
      { prompt: "/resume ROO#1", label: "Resume" },
    ]);
    assert.deepEqual(followups({ taskId: "ROO#1", suggestions: ["Yes"] }, steps, english), [
      { prompt: "Yes", label: "Yes" },
    ]);
  });

  it("believes an earlier answer only what it knows", () => {
    const metadata = { status: "waiting", tasks: ["ROO#1"], followups: [] };
    assert.deepEqual(chatMetadata(metadata), metadata);
    assert.equal(chatMetadata({ ...metadata, followups: [{ prompt: 1 }] }), undefined);
    assert.equal(chatMetadata(undefined), undefined);
  });
});
