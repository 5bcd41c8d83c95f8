import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { countLines } from "../../../../src/vscode/changes/countLines.js";
import { lastChanged } from "../../../../src/vscode/changes/lastChanged.js";

const at = "2026-01-01T00:00:00.000Z";
const mode = "rooroo-developer";
const runs = (taskId: string, changedFiles?: number): ConversationEvent[] => [
  { type: "sessionStarted", at, taskId, mode, goal: `Do ${taskId}` },
  {
    type: "sessionEnded",
    at,
    taskId,
    mode,
    end: "Done",
    message: "",
    artifacts: [],
    ...(changedFiles === undefined ? {} : { changedFiles }),
  },
];
function shown(...events: readonly ConversationEvent[]) {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  return state;
}

describe("what was changed last", () => {
  it("is the last task that has changed a file, until that is undone", () => {
    assert.equal(lastChanged(shown(...runs("A"))), undefined);
    const state = shown(...runs("A", 2), ...runs("B"));
    const subject = { id: "A", goal: "Do A", report: "A!1", taskIds: ["A"] };
    assert.deepEqual(lastChanged(state), subject);
    applyEvent(state, { type: "changesUndone", at, taskId: "A", files: 2, left: [] });
    assert.equal(lastChanged(state), undefined);
  });

  it("is the whole plan when its last task has ended", () => {
    const tasks = ["A", "B", "C"].map((taskId) => ({ taskId, mode, goal: taskId }));
    const state = shown(
      { type: "plan", at, planId: "P", taskId: "T", goal: "Export", tasks },
      ...runs("A", 1),
    );
    assert.equal(lastChanged(state)?.id, "A");
    for (const event of [...runs("B", 1), ...runs("C")]) applyEvent(state, event);
    const ids = ["A", "B", "C"];
    const plan = { id: "P", goal: "Export", report: "B!1", taskIds: ids };
    assert.deepEqual(lastChanged(state), plan);
  });

  it("is the task where nothing else of its plan was done", () => {
    const tasks = ["A", "B"].map((taskId) => ({ taskId, mode, goal: taskId }));
    const plan = { type: "plan", at, planId: "P", taskId: "T", goal: "Export" } as const;
    const [first, second] = tasks;
    assert.ok(first !== undefined && second !== undefined);
    const state = shown({ ...plan, tasks }, ...runs("A", 1));
    applyEvent(state, { ...plan, tasks: [first, { ...second, is: "skipped" }] });
    assert.deepEqual(lastChanged(state)?.taskIds, ["A"]);
    assert.equal(lastChanged(state)?.id, "A");
  });

  it("has as many lines as its files have", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const file = { path: "a", taskIds: [] };
    const counted = countLines([
      { ...file, before: bytes("a\nb\n"), now: bytes("a\nc\nd\n") },
      { ...file, before: undefined, now: bytes("x\n") },
      { ...file, before: bytes("y\n"), now: undefined },
    ]);
    assert.deepEqual(counted, { files: 3, added: 3, removed: 2 });
  });
});
