import assert from "node:assert/strict";
import { conversationMarkdown as markdownOf } from "../../../../src/core/conversation/state/conversationMarkdown.js";
import type { Item } from "../../../../src/core/conversation/state/items.js";
import { modeName } from "../../../../src/core/experts/modeName.js";

const conversationMarkdown = (title: string, items: readonly Item[]) =>
  markdownOf(title, items, modeName);
const at = "2026-11-24T08:00:00.000Z";
const taskId = "ROO#TASK_20261124080000_AAAAAA";
const mode = "rooroo-developer";

/** Returns a command that the expert wants to run, and what became of the question whether it may. */
const asked = (state: "open" | "allowed"): Item => {
  const preview = { kind: "command", text: "npm test\n```" } as const;
  const action = { access: "spend", title: "Run `npm test`", preview } as const;
  const why = { text: "Asked because `npm` may change things." };
  const approval = { approvalId: "a", action, state, why };
  const call = { tool: "execute_command", title: "Run npm test", state: "running" } as const;
  return { kind: "tool", id: "c", at, taskId, ...call, output: "", omitted: 0, approval };
};

describe("a conversation as a document", () => {
  it("has a heading for each turn and each task, and says what became of it", () => {
    const text = conversationMarkdown("Tests", [
      { kind: "user", id: "u", at, text: "Fix the test" },
      { kind: "task", id: "t", at, taskId, mode, goal: "Fix\nit", running: false },
      { kind: "text", id: "m", at, taskId, text: "I look first.", streaming: false },
      {
        kind: "report",
        id: "r",
        at,
        taskId,
        mode,
        end: "Done",
        message: "Fixed.",
        artifacts: ["a.js"],
      },
    ]);
    assert.equal(
      text,
      "# Tests\n\n## You, 2026-11-24 08:00\n\nFix the test\n\n### Developer: Fix it\n\nI look first.\n\n**Done.** Fixed.\n\n- a.js\n",
    );
  });

  it("says what waits for an approval, with all that would happen, until it is decided", () => {
    const text = conversationMarkdown("", [asked("open")]);
    assert.match(text, /\*\*Waiting for your approval:\*\* Run `npm test`/);
    assert.match(text, /Asked because `npm` may change things\./);
    assert.match(text, /\n````\nnpm test\n```\n````\n/);
    assert.doesNotMatch(conversationMarkdown("", [asked("allowed")]), /Waiting/);
  });

  it("hides nothing", () => {
    const text = conversationMarkdown("", [{ kind: "user", id: "u", at, text: "a\u202Eb" }]);
    assert.match(text, /a⟨U\+202E⟩b/);
  });
});
