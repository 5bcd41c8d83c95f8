import { strict as assert } from "node:assert";
import { Conversation } from "../../../../src/vscode/workspace/conversation.js";

describe("a conversation in a window", () => {
  it("shows one task as ended, and goes on showing that the others run", () => {
    const conversation = new Conversation("1");
    const at = "2026-01-01T00:00:00.000Z";
    for (const taskId of ["A", "B"]) {
      const goal = `Do ${taskId}`;
      conversation.add({ type: "sessionStarted", at, taskId, mode: "rooroo-developer", goal });
    }
    const running = () =>
      conversation.state.items.flatMap((item) =>
        item.kind === "task" && item.running ? item.taskId : [],
      );
    assert.deepEqual(running(), ["A", "B"]);
    conversation.settle("A");
    assert.deepEqual(running(), ["B"]);
    conversation.settle();
    assert.deepEqual(running(), []);
  });
});
