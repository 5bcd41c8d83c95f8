import assert from "node:assert/strict";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import type { Overview, TaskView } from "../../../../src/core/navigator/overview/overview.js";
import { planEvents, waitingTasks } from "../../../../src/vscode/tasks/planCards.js";

const mode = "rooroo-developer";
const at = "2026-01-01T00:00:00.000Z";
const nothing: Overview = { tasks: [], problems: [], modeProblems: [], experts: [], plans: [] };
const queued = (taskId: string, more: Partial<TaskView> = {}): TaskView => ({
  taskId,
  mode,
  goal: `Do ${taskId}`,
  state: "queued",
  planId: "P",
  isQueued: true,
  changedAt: 0,
  ...more,
});
const shown = (...ids: readonly string[]) => {
  const state = newConversation();
  const tasks = ids.map((taskId) => ({ taskId, mode, goal: `Do ${taskId}` }));
  applyEvent(state, { type: "plan", at, planId: "P", taskId: "T", goal: "Export", tasks });
  return state;
};
const eventsOf = (tasks: readonly TaskView[], state: ReturnType<typeof shown>) =>
  planEvents({ ...nothing, tasks }, state, waitingTasks(state)).events.flatMap((event) =>
    event.type === "plan" ? (event.tasks ?? []).map(({ taskId, is = "" }) => taskId + is) : [],
  );

describe("the cards of plans", () => {
  it("stay as they are as long as the queue says the same", () => {
    assert.deepEqual(eventsOf([queued("A"), queued("B")], shown("A", "B")), []);
  });

  it("follow what anybody changes in the queue's file", () => {
    const state = shown("A", "B", "C");
    const hand = [queued("C"), queued("A", { isHeld: true }), queued("D"), queued("B")];
    assert.deepEqual(eventsOf(hand, state), ["C", "Aheld", "D", "B"]);
    const [event] = planEvents(
      { ...nothing, tasks: [queued("A"), queued("B", { goal: "Other" }), queued("C")] },
      state,
      waitingTasks(state),
    ).events;
    assert.ok(event?.type === "plan");
    assert.equal(event.tasks?.[1]?.goal, "Other");
  });

  it("show that a task is held, and that it is not any more, where nothing else has changed", () => {
    const state = shown("A", "B");
    const held = [queued("A", { isHeld: true }), queued("B")];
    assert.deepEqual(eventsOf(held, state), ["Aheld", "B"]);
    const [event] = planEvents({ ...nothing, tasks: held }, state, waitingTasks(state)).events;
    assert.ok(event?.type === "plan");
    applyEvent(state, { ...event, at });
    assert.deepEqual(eventsOf(held, state), []);
    assert.deepEqual(eventsOf([queued("A"), queued("B")], state), ["A", "B"]);
  });

  it("keep tasks that have ended in their places, and show those that were removed as skipped", () => {
    const state = shown("A", "B", "C");
    applyEvent(state, { type: "sessionStarted", at, taskId: "A", mode, goal: "Do A" });
    const end = { end: "Done", message: "", artifacts: [] } as const;
    applyEvent(state, { type: "sessionEnded", at, taskId: "A", mode, ...end });
    assert.deepEqual(eventsOf([queued("C")], state), ["A", "Bskipped", "C"]);
  });

  it("take no task for removed that was not there yet when the list was read", () => {
    const state = shown("A");
    assert.deepEqual(planEvents(nothing, state, new Set()), { events: [], isUnsure: true });
    assert.equal(planEvents(nothing, state, waitingTasks(state)).events.length, 1);
  });

  it("get the tasks of a plan whose beginning the conversation does not show", () => {
    const state = newConversation();
    applyEvent(state, { type: "plan", at, planId: "P", taskId: "T", goal: "Export" });
    const plan = {
      planId: "P",
      goal: "Export",
      path: "",
      tasks: ["A", "B"],
      done: 0,
      state: "queued",
      effort: { calls: 0, inputTokens: 0, outputTokens: 0, cachedTokens: 0, workedMs: 0 },
    } as const;
    const overview = { ...nothing, plans: [plan], tasks: [queued("A"), queued("B")] };
    const { isQueued, ...task } = queued("A", { state: "interrupted" });
    assert.equal(isQueued, true);
    const made = [task, { ...task, taskId: "B" }];
    const early = planEvents({ ...overview, tasks: made }, state, new Set());
    assert.deepEqual(early.events, [], "they have folders, and no line in the queue yet");
    const [event] = planEvents(overview, state, new Set()).events;
    assert.ok(event?.type === "plan");
    assert.equal(event.tasks?.length, 2);
  });
});
