import assert from "node:assert/strict";
import fc from "fast-check";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import {
  type ConversationEvent,
  isPassing,
} from "../../../../src/core/conversation/events/events.js";
import {
  newConversation,
  type ConversationState,
} from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { replyRemark } from "../../../../src/core/conversation/state/replyRemark.js";
import { settle } from "../../../../src/core/conversation/state/settle.js";
import { dayOf } from "../../../../src/core/conversation/state/usageTotals.js";
import { english } from "../../../../src/core/text/translator.js";
import { coalesced, conversationEvents } from "./conversationEvents.js";

const at = "2026-01-01T00:00:00.000Z";
const agent = (event: AgentEvent, taskId = "t1"): ConversationEvent => ({
  type: "agent",
  at,
  taskId,
  event,
});
const started = (taskId = "t1"): ConversationEvent => ({
  type: "sessionStarted",
  at,
  taskId,
  mode: "rooroo-developer",
  goal: "Fix it",
});
const ended = (message: string, taskId = "t1"): ConversationEvent => ({
  type: "sessionEnded",
  at,
  taskId,
  mode: "rooroo-developer",
  end: "Done",
  message,
  artifacts: [],
});
const action = {
  access: "write",
  title: "Edit a.js",
  path: "a.js",
  inside: true,
  preview: { kind: "diff", text: "+a" },
} as const;

function reduce(events: readonly ConversationEvent[]): ConversationState {
  const state = newConversation();
  for (const event of events) applyEvent(state, event);
  return state;
}

/** Returns everything that can be told of a state, apart from the container. */
const seen = (state: ConversationState) => ({
  items: state.items,
  usage: state.usage,
  live: [...state.live].sort(),
});

describe("applyEvent", () => {
  it("tells of images that a server does not take", () => {
    const { items } = reduce([
      started(),
      agent({ type: "partsRefused", messageId: "m1", what: "images", leftOut: ["a.png"] }),
    ]);
    const [notice] = items.filter(({ kind }) => kind === "notice");
    assert.match(JSON.stringify(notice), /refuses these images[^"]*: a\.png/);
  });

  it("tells of schemas that a server refuses, and of each tool that is left out", () => {
    const refused = (leftOut: readonly string[]) =>
      agent({ type: "partsRefused", messageId: "m1", what: "schemas", leftOut });
    const { items } = reduce([
      started(),
      ...[[], ["chart", "mail"], [], ["map", "news"]].map(refused),
    ]);
    assert.deepEqual(
      items.flatMap((item) => (item.kind === "notice" ? [item.text] : [])),
      [
        "The server refuses schemas of tools, so they are sent in a simpler form.",
        "The server refuses these tools, so they are left out: chart, mail",
        "The server refuses these tools, so they are left out: map, news",
      ],
    );
  });

  it("puts a streamed text together and lets the whole text have the last word", () => {
    const state = reduce([
      agent({ type: "textDelta", messageId: "m", text: "He" }),
      agent({ type: "textDelta", messageId: "m", text: "llo" }),
    ]);
    assert.deepEqual(state.items, [
      { kind: "text", id: "m", at, taskId: "t1", text: "Hello", streaming: true },
    ]);
    applyEvent(state, agent({ type: "text", messageId: "m", text: "Hello!" }));
    assert.deepEqual(state.items, [
      { kind: "text", id: "m", at, taskId: "t1", text: "Hello!", streaming: false },
    ]);
    assert.deepEqual(
      applyEvent(state, agent({ type: "textDelta", messageId: "m", text: "late" })),
      [],
    );
  });

  it("takes back what a broken answer had said, and tells in one line that it was asked again", () => {
    const again = (attempt: number): ConversationEvent =>
      agent({
        type: "retrying",
        messageId: "m",
        attempt,
        attempts: 4,
        code: "brokenResponse",
      });
    const delta = (text: string) => agent({ type: "textDelta", messageId: "m", text });
    const live = [
      delta("I am go"),
      again(2),
      delta("I am"),
      again(3),
      delta("I am "),
      delta("going."),
      agent({ type: "text", messageId: "m", text: "I am going." }),
    ];
    const state = reduce(live);
    const [item, ...others] = state.items;
    assert.ok(item?.kind === "text");
    assert.deepEqual([item.text, item.streaming, others], ["I am going.", false, []]);
    assert.equal(
      replyRemark(item, english),
      "The reply was incomplete; retrying (attempt 3 of 4).",
    );
    assert.deepEqual(applyEvent(state, again(4)), []);
    // What the journal keeps comes to the same.
    assert.deepEqual(seen(reduce(live.filter((event) => !isPassing(event)))), seen(state));
    assert.equal(reduce([delta("half"), again(2)]).items[0]?.kind, "text");
  });

  it("tells once, with the message, what was put right in it", () => {
    const repaired = agent({
      type: "repaired",
      messageId: "m",
      repairs: ["textCall", "arguments"],
    });
    const text = agent({ type: "text", messageId: "m", text: "I look." });
    for (const events of [[repaired], [text, repaired, repaired]]) {
      const { items } = reduce(events);
      assert.equal(items.length, 1);
      assert.ok(items[0]?.kind === "text" && !items[0].streaming);
      assert.equal(
        replyRemark(items[0], english),
        "Corrected in the reply: a tool call written as text, a call's arguments.",
      );
    }
  });

  it("tells in one line that a reply went back, shown or not", () => {
    const back = agent({ type: "replyRejected", messageId: "m", why: "noCall" });
    const text = agent({ type: "text", messageId: "m", text: "I go on." });
    for (const events of [[back], [text, back, back]]) {
      const { items } = reduce(events);
      assert.equal(items.length, 1);
      assert.ok(items[0]?.kind === "text" && !items[0].streaming);
      assert.match(
        replyRemark(items[0], english),
        /^The reply called no tool; the model was asked to correct it\.$/,
      );
    }
  });

  it("notes on each item which job or run it belongs to", () => {
    const work = { kind: "job", name: "tests" } as const;
    const question = { type: "question", mode: "m", text: "Which?", suggestions: [] } as const;
    const state = reduce([
      started(),
      { ...started("j1"), work },
      { ...agent({ type: "text", messageId: "m1", text: "Looks fine." }, "j1"), work },
      { ...ended("All done.", "j1"), work },
      { ...question, at, work, taskId: null, questionId: "q1" },
    ]);
    assert.deepEqual(
      state.items.map((item) => [item.kind, item.work]),
      [["task", undefined], ...["task", "text", "report", "question"].map((kind) => [kind, work])],
    );
    // The next user input answers the Navigator's own questions only.
    assert.equal(state.ownQuestion, undefined);
  });

  it("says what changed, and changes no item in place", () => {
    const state = newConversation();
    const [first] = applyEvent(state, agent({ type: "textDelta", messageId: "m", text: "a" }));
    const [second] = applyEvent(state, agent({ type: "textDelta", messageId: "m", text: "b" }));
    assert.equal(first?.before, undefined);
    assert.equal(second?.before, first?.after);
    assert.notEqual(second?.after, first?.after);
  });

  it("gives a resumed task an item of its own, and each end a report", () => {
    const state = reduce([started(), ended("one"), started(), ended("two")]);
    assert.deepEqual(
      state.items.map((item) => item.id),
      ["t1#1", "t1!1", "t1#2", "t1!2"],
    );
    assert.deepEqual(applyEvent(state, ended("two")), []);
  });

  it("keeps the end of live output, then beginning and end of the whole", () => {
    const lines = Array.from({ length: 1_000 }, (_, number) => `line ${number}\n`);
    const state = reduce([
      agent({ type: "toolStarted", callId: "c", tool: "execute_command", title: "npm test" }),
      ...lines.map((text) => agent({ type: "toolOutput", callId: "c", text })),
    ]);
    const running = state.items[0];
    assert.ok(running?.kind === "tool");
    assert.equal(running.output.length, 2_000);
    assert.ok(running.output.endsWith("line 999\n"));
    assert.equal(running.omitted + running.output.length, lines.join("").length);

    applyEvent(
      state,
      agent({ type: "toolEnded", callId: "c", ok: true, output: lines.join(""), durationMs: 5 }),
    );
    const done = state.items[0];
    assert.ok(done?.kind === "tool");
    assert.match(done.output, /^line 0\n[^]*… \d+ characters left out …[^]*line 999\n$/);
    assert.equal(done.state, "ok");
  });

  it("never cuts what someone is asked to approve", () => {
    const text = "+x\n".repeat(100_000);
    const state = reduce([
      agent({ type: "toolStarted", callId: "c", tool: "write_to_file", title: "a.js" }),
      agent({
        type: "approvalRequested",
        why: "It is asked about.",
        approvalId: "p",
        callId: "c",
        action: { ...action, preview: { kind: "diff", text } },
      }),
      agent({ type: "approvalResolved", approvalId: "p", allowed: false, reason: "no" }),
    ]);
    const tool = state.items[0];
    assert.ok(tool?.kind === "tool");
    assert.equal(tool.approval?.state, "denied");
    assert.equal(tool.approval.reason, "no");
    assert.equal(tool.approval.action.preview.text, text);
  });

  it("passes over what is about something unknown", () => {
    const state = reduce([
      agent({ type: "toolOutput", callId: "?", text: "x" }),
      agent({ type: "toolEnded", callId: "?", ok: true, output: "", durationMs: 1 }),
      agent({
        type: "approvalRequested",
        why: "It is asked about.",
        callId: "?",
        approvalId: "?",
        action,
      }),
      agent({ type: "approvalResolved", approvalId: "?", allowed: true }),
      { type: "answered", at, questionId: "?", text: "yes" },
      { type: "tasksChanged", at },
    ]);
    assert.deepEqual(state.items, []);
  });

  const question = (
    questionId: string,
    text: string,
    taskId: string | null = "t1",
  ): ConversationEvent => ({
    type: "question",
    at,
    questionId,
    taskId,
    mode: "rooroo-idea-sparker",
    text,
    suggestions: [],
  });

  it("tells a question that repeats the asker's last words, and an answer that was said", () => {
    const state = reduce([
      agent({ type: "text", messageId: "m", text: "Abacus or Ledgerly?" }),
      agent({ type: "text", messageId: "other", text: "Something else." }, "t2"),
      question("q1", "Abacus or Ledgerly?"),
      { type: "user", at, id: "u", text: "Abacus" },
      { type: "answered", at, questionId: "q1", text: "Abacus" },
      question("q2", "Which one?"),
      { type: "answered", at, questionId: "q2", text: "Abacus" },
    ]);
    const questions = state.items.filter((item) => item.kind === "question");
    assert.deepEqual(
      questions.map(({ repeats, wasTyped: said, answer }) => [repeats, said, answer]),
      [
        [true, true, "Abacus"],
        [undefined, undefined, "Abacus"],
      ],
    );
  });

  it("takes what is said next as the answer to the Navigator's own question", () => {
    const said: ConversationEvent = { type: "user", at, id: "u1", text: "The invoice" };
    const state = reduce([question("q1", "Which one?", null), said]);
    const [asked] = state.items;
    assert.ok(asked?.kind === "question");
    assert.deepEqual([asked.answer, asked.wasTyped], ["The invoice", true]);
    assert.deepEqual(applyEvent(state, said), []);
    applyEvent(state, { type: "user", at, id: "u2", text: "And now something else" });
    assert.equal(state.items[0], asked);
  });

  it("shows no result for a task that only waits: its question is there", () => {
    const waits = { ...ended(""), end: "Waiting", waitsFor: "answer" } as ConversationEvent;
    const state = reduce([started(), waits]);
    assert.deepEqual(
      state.items.map(({ kind }) => kind),
      ["task"],
    );
    assert.equal(state.live.size, 0);
  });

  it("goes on where it was with a task, and a call, that was cut off", () => {
    const begun: readonly ConversationEvent[] = [
      started(),
      agent({ type: "toolStarted", callId: "c", tool: "edit_file", title: "a.js" }),
      agent({
        type: "approvalRequested",
        why: "It is asked about.",
        callId: "c",
        approvalId: "p",
        action,
      }),
    ];
    const state = reduce(begun);
    settle(state);
    const again = agent({
      type: "approvalRequested",
      why: "It is asked about.",
      callId: "c",
      approvalId: "p2",
      action,
    });
    for (const event of [...begun.slice(0, 2), again]) applyEvent(state, event);
    const [task, call, ...others] = state.items;
    assert.ok(task?.kind === "task" && task.running);
    assert.ok(call?.kind === "tool" && call.state === "running");
    assert.deepEqual([call.approval?.approvalId, call.approval?.state], ["p2", "open"]);
    assert.deepEqual(others, []);
    settle(state);
    applyEvent(state, { type: "user", at, id: "u", text: "/resume t1" });
    applyEvent(state, started());
    assert.equal(state.items.at(-1)?.kind, "task");
  });

  it("adds usage up", () => {
    const usage = { inputTokens: 10, outputTokens: 2, cachedTokens: 8 };
    const state = reduce([
      ...[usage, usage, null].map((one) => agent({ type: "usage", usage: one })),
    ]);
    assert.deepEqual(state.usage, {
      calls: 3,
      uncounted: 1,
      inputTokens: 20,
      outputTokens: 4,
      cachedTokens: 16,
      day: { date: dayOf(at) },
    });
  });

  it("comes to the same however the stream is cut into deltas", () => {
    fc.assert(
      fc.property(conversationEvents, (events) => {
        assert.deepEqual(seen(reduce(coalesced(events))), seen(reduce(events)));
      }),
    );
  });

  it("keeps ids unique and in step with the items, whatever comes", () => {
    fc.assert(
      fc.property(conversationEvents, (events) => {
        const state = reduce(events);
        assert.deepEqual(
          [...state.positions],
          state.items.map((item, position) => [item.id, position]),
        );
      }),
    );
  });

  it("costs the same per event however long the conversation is", () => {
    const state = newConversation();
    for (let n = 0; n < 20_000; n++) applyEvent(state, { type: "user", at, id: `u${n}`, text: "" });
    applyEvent(state, agent({ type: "textDelta", messageId: "m", text: "word " }));
    let reads = 0;
    const items = new Proxy(state.items, {
      get: (target, key, receiver) => {
        reads++;
        return Reflect.get(target, key, receiver) as unknown;
      },
    });
    const counted = Object.assign(state, { items });
    for (let n = 0; n < 100; n++) {
      applyEvent(counted, agent({ type: "textDelta", messageId: "m", text: "word " }));
    }
    assert.ok(reads > 0 && reads <= 1_000, `${reads} reads`);
  });
});

describe("next steps of a notice", () => {
  const proceed = { type: "action", label: "Proceed", action: { action: "proceed", one: false } };
  const resume = { type: "action", label: "Resume", action: { action: "resume", taskId: "t2" } };
  const settings = { type: "command", label: "Set API Key…", command: "setApiKey" };
  const notice = { type: "notice", at, id: "n", level: "info", text: "What next?" };
  const shown = (...events: unknown[]): readonly string[] => {
    const state = reduce(events as ConversationEvent[]);
    const item = state.items.find(({ id }) => id === "n");
    return item?.kind === "notice" ? item.steps.map(({ label }) => label) : [];
  };

  it("are void once the user does something else, but for those that still do something", () => {
    const offered = { ...notice, steps: [proceed, resume, settings] };
    assert.deepEqual(shown(offered), ["Proceed", "Resume", "Set API Key…"]);
    const said = { type: "user", at, id: "u", text: "Do that." };
    assert.deepEqual(shown(offered, said), ["Resume", "Set API Key…"]);
    assert.deepEqual(shown(offered, started()), ["Resume", "Set API Key…"]);
    assert.deepEqual(shown(offered, started("t2")), ["Set API Key…"]);
    // A job goes on beside the conversation.
    const ofJob = { ...started(), work: { kind: "job", name: "tests" } };
    assert.deepEqual(shown(offered, ofJob), ["Proceed", "Resume", "Set API Key…"]);
  });

  it("are no items where the protocol fixes their text, which is for programs", () => {
    const announced = { type: "announced", at, code: "queue_empty", text: "Empty." };
    assert.deepEqual(reduce([announced as ConversationEvent]).items, []);
  });
});

describe("what a model thinks", () => {
  it("grows while it thinks, and says how long it has thought", () => {
    const later = "2026-01-01T00:00:08.000Z";
    const state = reduce([
      agent({ type: "reasoningStarted", messageId: "m" }),
      agent({ type: "reasoningDelta", messageId: "m", text: "Let me " }),
      agent({ type: "reasoningDelta", messageId: "m", text: "see." }),
    ]);
    const [thinks] = state.items;
    assert.ok(thinks?.kind === "reasoning" && thinks.streaming);
    assert.equal(thinks.text, "Let me see.");
    assert.equal(state.live.size, 1);
    const ended = agent({ type: "reasoning", messageId: "m", text: "Let me see." });
    applyEvent(state, { ...ended, at: later });
    const [thought] = state.items;
    assert.ok(thought?.kind === "reasoning" && !thought.streaming);
    assert.equal(thought.durationMs, 8_000);
    // What the conversation's file keeps comes to the same.
    const stored = reduce([
      agent({ type: "reasoningStarted", messageId: "m" }),
      { ...ended, at: later },
    ]);
    assert.deepEqual(stored.items, state.items);
  });
});

describe("changes that were undone", () => {
  it("are told by the task's last report", () => {
    const state = reduce([started(), ended("Did it.")]);
    applyEvent(state, { type: "changesUndone", at, taskId: "t1", files: 1, left: ["b.js"] });
    const report = state.items.at(-1);
    assert.ok(report?.kind === "report");
    assert.deepEqual(report.undone, { at, left: ["b.js"] });
    applyEvent(state, started());
    applyEvent(state, ended("Did it again."));
    const again = state.items.at(-1);
    assert.ok(again?.kind === "report" && again.undone === undefined);
  });
});

describe("a checklist", () => {
  const steps = (state: "open" | "done") =>
    agent({ type: "checklist", steps: [{ text: "Read", state }] });

  it("stays in its place while its steps change, and begins anew with the next run", () => {
    const state = reduce([
      started(),
      steps("open"),
      agent({ type: "text", messageId: "m", text: "a" }),
      steps("done"),
      ended("done"),
    ]);
    const [, first] = state.items;
    assert.ok(first?.kind === "checklist" && first.steps[0]?.state === "done");
    applyEvent(state, started());
    applyEvent(state, steps("open"));
    assert.equal(state.items.filter(({ kind }) => kind === "checklist").length, 2);
  });

  it("is none when it has no steps", () => {
    assert.equal(reduce([started(), agent({ type: "checklist", steps: [] })]).items.length, 1);
  });
});

describe("a call that waits for an approval", () => {
  const call = agent({ type: "toolStarted", callId: "c", tool: "edit_file", title: "a.js" });
  const asks = (approvalId: string): ConversationEvent =>
    agent({
      type: "approvalRequested",
      why: "It is asked about.",
      callId: "c",
      approvalId,
      action,
    });
  const ends = agent({
    type: "toolEnded",
    callId: "c",
    ok: false,
    output: "Stopped.",
    durationMs: 1,
  });
  const shown = (state: ConversationState) =>
    state.items.map((item) =>
      item.kind === "tool" ? `${item.state} ${item.approval?.state ?? "-"}` : item.kind,
    );

  it("waits at the end when its task was stopped there and is resumed", () => {
    const state = reduce([started(), call, asks("p1"), ends, ended("Stopped.")]);
    assert.deepEqual(shown(state), ["task", "failed gone", "report"]);
    for (const event of [started(), call, asks("p2")]) applyEvent(state, event);
    assert.deepEqual(shown(state), ["task", "failed gone", "report", "task", "running open"]);
    applyEvent(state, agent({ type: "approvalResolved", approvalId: "p2", allowed: true }));
    const done = { type: "toolEnded", callId: "c", ok: true, output: "", durationMs: 1 } as const;
    applyEvent(state, agent(done));
    assert.deepEqual(shown(state).slice(-1), ["ok allowed"]);
    assert.equal(state.live.size, 1, "only the task is live");
  });

  it("waits at the end when its window was loaded anew and something has been said since", () => {
    const state = reduce([started(), call, asks("p1")]);
    settle(state);
    const notice = { type: "notice", at, id: "n", level: "info", text: "Resumed.", steps: [] };
    for (const event of [notice as ConversationEvent, started(), call, asks("p2")]) {
      applyEvent(state, event);
    }
    assert.deepEqual(shown(state), ["task", "interrupted gone", "notice", "running open"]);
  });

  it("waits in its own place when nothing has come after it", () => {
    const state = reduce([started(), call, asks("p1")]);
    settle(state);
    for (const event of [call, asks("p2")]) applyEvent(state, event);
    assert.deepEqual(shown(state), ["task", "running open"]);
    assert.deepEqual(applyEvent(state, call), []);
  });
});

describe("settle", () => {
  it("ends what only a runner could go on with", () => {
    const state = reduce([
      started(),
      agent({ type: "textDelta", messageId: "m", text: "a" }),
      agent({ type: "toolStarted", callId: "c", tool: "edit_file", title: "a.js" }),
      agent({
        type: "approvalRequested",
        why: "It is asked about.",
        callId: "c",
        approvalId: "p",
        action,
      }),
      {
        type: "question",
        at,
        questionId: "q",
        taskId: "t1",
        mode: "m",
        text: "?",
        suggestions: [],
      },
    ]);
    assert.equal(settle(state).length, 3);
    const [task, text, tool, question] = state.items;
    assert.ok(task?.kind === "task" && !task.running);
    assert.ok(text?.kind === "text" && !text.streaming);
    assert.ok(tool?.kind === "tool" && tool.state === "interrupted");
    assert.equal(tool.approval?.state, "gone");
    assert.ok(question?.kind === "question" && question.answer === undefined);
    assert.deepEqual(settle(state), []);
  });

  it("leaves nothing live, and happens to a task's own items when it ends", () => {
    fc.assert(
      fc.property(conversationEvents, (events) => {
        const state = reduce(events);
        settle(state);
        assert.equal(state.live.size, 0);
      }),
    );
    const state = reduce([
      started("a"),
      agent({ type: "toolStarted", callId: "c1", tool: "x", title: "" }, "a"),
      started("b"),
      agent({ type: "toolStarted", callId: "c2", tool: "x", title: "" }, "b"),
      ended("done", "a"),
    ]);
    assert.deepEqual([...state.live], ["b#1", "c2"]);
  });
});
