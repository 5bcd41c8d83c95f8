import assert from "node:assert/strict";
import type {
  ConversationEvent,
  TaskEnd,
} from "../../../../src/core/conversation/events/events.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import type { Item } from "../../../../src/core/conversation/state/items.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { settle } from "../../../../src/core/conversation/state/settle.js";

const mode = "rooroo-developer";
const at = (second: number) => `2026-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
const plan = (
  more: Partial<Extract<ConversationEvent, { type: "plan" }>> = {},
): ConversationEvent => ({
  type: "plan",
  at: at(0),
  planId: "P",
  taskId: "T",
  goal: "Export",
  ...more,
});
const tasks = [
  { taskId: "S1", mode, goal: "One" },
  { taskId: "S2", mode, goal: "Two", is: "held" as const },
];
const starts = (taskId: string, second: number): ConversationEvent => ({
  type: "sessionStarted",
  at: at(second),
  taskId,
  mode,
  goal: taskId === "S1" ? "One" : "Two",
});
const ends = (taskId: string, end: TaskEnd, second: number): ConversationEvent => ({
  type: "sessionEnded",
  at: at(second),
  taskId,
  mode,
  end,
  message: "",
  artifacts: [],
});
const uses = (taskId: string, costUsd?: number): ConversationEvent => ({
  type: "agent",
  at: at(1),
  taskId,
  event: {
    type: "usage",
    usage: {
      inputTokens: 100,
      outputTokens: 10,
      cachedTokens: 0,
      ...(costUsd === undefined ? {} : { costUsd }),
    },
  },
});

function shown(...events: readonly ConversationEvent[]) {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  const item = state.items.find(
    (one): one is Extract<Item, { kind: "plan" }> => one.kind === "plan",
  );
  assert.ok(item);
  return { state, item, states: item.tasks.map((task) => task.state) };
}

describe("the card of a plan", () => {
  it("is there from the planner's first moment, and says how the planner ended", () => {
    assert.equal(shown(plan()).item.planner, "working");
    assert.deepEqual(shown(plan()).item.tasks, []);
    assert.equal(shown(plan(), ends("T", "Failed", 1)).item.planner, "Failed");
  });

  it("follows its tasks by their own events, with time and cost", () => {
    const { item, states } = shown(
      plan(),
      plan({ tasks, overview: "Why." }),
      starts("S1", 1),
      uses("S1", 0.25),
      uses("S1", 0.5),
      ends("S1", "Waiting", 4),
      starts("S1", 10),
      ends("S1", "Done", 12),
      starts("S2", 20),
      uses("S2"),
    );
    assert.deepEqual(states, ["done", "running"]);
    const [first, second] = item.tasks;
    assert.deepEqual([first?.workedMs, first?.costUsd, first?.tokens], [5_000, 0.75, 220]);
    // Nobody knows the price of the call.
    assert.deepEqual([second?.startedAt, second?.costUsd], [at(20), null]);
    assert.equal(item.overview, "Why.");
  });

  it("shows which task needs the user, and that one has failed or was stopped", () => {
    const question: ConversationEvent = {
      type: "question",
      at: at(2),
      questionId: "q",
      taskId: "S1",
      mode,
      text: "?",
      suggestions: [],
    };
    const begun = [plan({ tasks }), starts("S1", 1)];
    assert.deepEqual(shown(...begun, question).states, ["needsYou", "waiting"]);
    assert.deepEqual(shown(...begun, ends("S1", "Failed", 2)).states, ["failed", "waiting"]);
    assert.deepEqual(shown(...begun, ends("S1", "Stopped", 2)).states, ["stopped", "waiting"]);
  });

  it("keeps how far each task is when the plan's tasks become other ones", () => {
    const { item, states } = shown(
      plan({ tasks }),
      starts("S1", 1),
      ends("S1", "Done", 2),
      plan({
        tasks: [
          { taskId: "S1", mode, goal: "One" },
          { taskId: "S3", mode: "rooroo-analyzer", goal: "New" },
          { taskId: "S2", mode, goal: "Two", is: "skipped" },
        ],
      }),
    );
    assert.deepEqual(states, ["done", "waiting", "skipped"]);
    assert.deepEqual(
      item.tasks.map(({ isHeld }) => isHeld),
      [false, false, false],
    );
    assert.equal(item.tasks[0]?.workedMs, 1_000);
  });

  it("shows nothing as running when nobody works on it any more", () => {
    const { state } = shown(plan({ tasks }), starts("T", 1), starts("S1", 1));
    settle(state);
    const [item] = state.items;
    assert.ok(item?.kind === "plan");
    assert.equal(item.planner, "Stopped");
    assert.equal(item.tasks[0]?.state, "stopped");
    assert.equal(state.live.size, 0);
  });
});
