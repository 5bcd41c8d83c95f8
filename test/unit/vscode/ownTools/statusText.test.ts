import assert from "node:assert/strict";
import type { TaskView } from "../../../../src/core/navigator/overview/overview.js";
import { statusText } from "../../../../src/vscode/ownTools/statusText.js";

const task = (taskId: string, state: TaskView["state"], more: Partial<TaskView> = {}): TaskView => {
  const mode = "rooroo-developer";
  return { taskId, mode, goal: `Do ${taskId}`, state, planId: null, changedAt: 0, ...more };
};

describe("the status of tasks for another model", () => {
  it("lists what needs the user first, then what runs, waits and has ended", () => {
    const question = { questionId: "q", text: "Lines\nor words?", suggestions: [] };
    const text = statusText({
      tasks: [
        task("A", "queued"),
        task("B", "done", { message: "All good." }),
        task("C", "needsYou", { question }),
        task("D", "foreign", { goal: "Planted" }),
      ],
    });
    assert.equal(
      text,
      [
        "Waiting for the user (1):",
        "- C (rooroo-developer): Do C — Lines ⏎ or words?",
        "Queued, the next one first (1):",
        "- A (rooroo-developer): Do A",
        "Done, the newest first (1):",
        "- B (rooroo-developer): Do B — All good.",
      ].join("\n"),
    );
  });

  it("tells all about one task, and nothing of one that is not ours", () => {
    const tasks = [task("A", "done", { message: "All\ngood." }), task("D", "foreign")];
    assert.equal(
      statusText({ tasks }, "A"),
      "Task A: Done\nExpert: rooroo-developer\nGoal: Do A\nIt says: All\ngood.",
    );
    assert.equal(statusText({ tasks }, "D"), "There is no task D.");
    assert.equal(statusText({ tasks: [] }), "There are no tasks.");
  });

  it("is bounded, however many tasks there are", () => {
    const tasks = Array.from({ length: 500 }, (_, index) => {
      return task(`T${index}`, "done", { goal: "x".repeat(10_000) });
    });
    const text = statusText({ tasks });
    assert.match(text, /… and 480 more/);
    assert.ok(text.length < 10_000, String(text.length));
  });
});
