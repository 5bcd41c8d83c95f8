import assert from "node:assert/strict";
import fc from "fast-check";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import {
  itemById,
  newConversation,
} from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { offerUnfinished } from "../../../../src/core/conversation/state/reduceRestored.js";
import { settle } from "../../../../src/core/conversation/state/settle.js";
import { tellsOfRestore } from "../../../../src/core/conversation/state/tellsOfRestore.js";
import type { QueueEntry } from "../../../../src/core/documents/queue.js";
import { conversationEvents } from "./conversationEvents.js";

const at = "2026-01-01T00:00:00.000Z";
const begun: readonly ConversationEvent[] = [
  { type: "user", at, id: "u1", text: "Shout" },
  {
    type: "restored",
    at,
    restoreId: "r1",
    scope: "both",
    checkpoint: { kind: "message", id: "u1", at, title: "Shout" },
    text: "Restoring has not finished.",
    tasks: [],
    unfinished: [],
    returning: [],
  },
];
const ended: ConversationEvent = {
  type: "restoreEnded",
  at,
  restoreId: "r1",
  level: "info",
  text: "Restored.",
};

function stateOf(events: readonly ConversationEvent[]) {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  return state;
}

function shown(state: ReturnType<typeof newConversation>): readonly string[] {
  const notice = itemById(state, "r1");
  assert.ok(notice?.kind === "notice");
  return [notice.text, ...notice.steps.map(({ label }) => label)];
}

describe("a restore in the conversation", () => {
  it("is under way until it ends, and then offers to be undone", () => {
    assert.deepEqual(shown(stateOf(begun)), ["Restoring…"]);
    assert.deepEqual(shown(stateOf([...begun, ended])), ["Restored.", "Undo Restore"]);
  });

  it("says that it has not finished, with what to do, when it was cut off", () => {
    const unfinished = ["Restoring has not finished.", "Finish Restore", "Undo Restore"];
    for (const cutOff of [offerUnfinished, settle]) {
      const state = stateOf(begun);
      assert.equal(cutOff(state).length, 1);
      assert.deepEqual(shown(state), unfinished);
      applyEvent(state, ended);
      assert.deepEqual(shown(state), ["Restored.", "Undo Restore"]);
      assert.deepEqual(cutOff(state), []);
    }
  });

  it("is news from another process only if the conversation does not show it", () => {
    const undone: ConversationEvent = { type: "restoreUndone", at, restoreId: "r1", tasks: [] };
    const [said = ended, restored = ended] = begun;
    const cases: [events: ConversationEvent[], unread: ConversationEvent[], isNews: boolean][] = [
      [[said], [said], false],
      [[said], [restored], true],
      [[said, restored], [restored], false],
      [[said, restored], [restored, ended], true],
      [[said, restored, ended], [restored, ended], false],
      [[said, restored, ended], [undone], true],
      [[said, restored, ended, undone], [restored, ended, undone], false],
    ];
    for (const [events, unread, isNews] of cases) {
      assert.equal(tellsOfRestore(stateOf(events), unread), isNews);
    }
  });

  it("leaves everything as it was when it is undone, whatever came before and meanwhile", () => {
    const checkpoint = fc.oneof(
      fc.record({ kind: fc.constant("message" as const), id: fc.constantFrom("u0", "u1", "u2") }),
      fc.record({ kind: fc.constant("task" as const), id: fc.constantFrom("t0", "t1", "t2") }),
    );
    const returning = fc.uniqueArray(fc.constantFrom("t0", "t1", "t2", "t3"), { maxLength: 3 });
    const scope = fc.constantFrom("files" as const, "conversation" as const, "both" as const);
    fc.assert(
      fc.property(
        conversationEvents,
        conversationEvents,
        checkpoint,
        returning,
        scope,
        (before, meanwhile, point, ids, extent) => {
          const restored = {
            type: "restored",
            at,
            restoreId: "restore",
            scope: extent,
            checkpoint: { ...point, at, title: "" },
            text: "",
            tasks: [],
            unfinished: [],
            returning: ids.map((taskId) => ({ taskId, again: entry(`${taskId} again`) })),
          } as const;
          const undone = { type: "restoreUndone", at, restoreId: "restore", tasks: [] } as const;
          assert.deepEqual(stateOf([...before, restored, undone]).items, stateOf(before).items);

          const { items, positions, live } = stateOf([...before, restored, ...meanwhile, undone]);
          assert.equal(positions.size, items.length);
          for (const [index, { id }] of items.entries()) assert.equal(positions.get(id), index);
          for (const id of live) assert.ok(positions.has(id));
        },
      ),
    );
  });

  it("has a plan show its tasks as waiting again, and what they had come to when it is undone", () => {
    const [one, two] = [
      { taskId: "s1", mode: "coder", goal: "One" },
      { taskId: "s2", mode: "coder", goal: "Two" },
    ];
    const done: ConversationEvent[] = [
      { type: "plan", at, planId: "p", taskId: "t", goal: "Both", tasks: [one, two] },
      { type: "sessionStarted", at, ...one, planId: "p" },
      { type: "sessionEnded", at, ...one, end: "Done", message: "", artifacts: [] },
      { type: "sessionStarted", at, ...two, planId: "p" },
      { type: "sessionEnded", at, ...two, end: "Done", message: "", artifacts: [] },
    ];
    const restored: ConversationEvent = {
      type: "restored",
      at,
      restoreId: "r",
      scope: "conversation",
      checkpoint: { kind: "task", id: "s2", at, title: "Two" },
      text: "",
      tasks: [],
      unfinished: [],
      returning: [
        { taskId: "s2", again: { ...entry("s3"), ...two, taskId: "s3", autoProceed: false } },
      ],
    };
    const tasks = (events: readonly ConversationEvent[]) => {
      const plan = itemById(stateOf(events), "p");
      assert.ok(plan?.kind === "plan");
      return plan.tasks.map(({ taskId, goal, state, isHeld }) => [taskId, goal, state, isHeld]);
    };
    assert.deepEqual(tasks([...done, restored]), [
      ["s1", "One", "done", false],
      ["s3", "Two", "waiting", true],
    ]);
    // The new task is a part of the plan.
    const begun: ConversationEvent = {
      type: "sessionStarted",
      at,
      ...two,
      taskId: "s3",
      planId: "p",
    };
    assert.deepEqual(tasks([...done, restored, begun])[1]?.slice(0, 3), ["s3", "Two", "running"]);
    const undone: ConversationEvent = { type: "restoreUndone", at, restoreId: "r", tasks: [] };
    assert.deepEqual(tasks([...done, restored, undone]), tasks(done));
  });
});

function entry(taskId: string): QueueEntry {
  const fixed = { parentTaskId: null, planId: null, contextPath: "", autoProceed: true };
  return { taskId, mode: "coder", goal: taskId, ...fixed };
}
