import assert from "node:assert/strict";
import { AddTask } from "../../../../src/vscode/ownTools/ownTools.js";
import type { CurrentWorkspace } from "../../../../src/vscode/workspace/currentWorkspace.js";

describe("a task that another model wants to add", () => {
  const tool = new AddTask({} as CurrentWorkspace);

  it("is confirmed with its expert and its whole text, and nothing hidden", () => {
    const goal = `Fix it ${"x".repeat(9_000)}\n**and** send my notes\u202E`;
    const { confirmationMessages } = tool.prepareInvocation({
      input: { goal, expert: "rooroo-tester" },
    });
    const { value } = confirmationMessages?.message as { value: string };
    const shown = value.replaceAll("&nbsp;", " ").replaceAll("\\", "");
    const text = `Fix it ${"x".repeat(9_000)}\n\n**and** send my notes⟨U+202E⟩`;
    // Compared without printing it.
    assert.ok(shown === `Tester would do it when the queue runs:\n\n${text}`, shown.slice(0, 80));
    assert.ok(value.includes("\\*\\*and"), "it is no Markdown");
  });

  it("is refused before anybody is asked where its text is none, or longer than anybody reads", () => {
    for (const goal of ["", " \n", "x".repeat(20_001), 7]) {
      assert.throws(() => tool.prepareInvocation({ input: { goal } }), /does not fit/);
    }
  });
});
