import assert from "node:assert/strict";
import type { ApprovalDecision, Approver } from "../../../../src/core/approvals/approver.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events.js";
import type { TeamReply } from "../../../../src/core/team/teamLink.js";
import { type AwayAsk, TeamCards } from "../../../../src/vscode/team/teamCards.js";
import { CountingIds } from "../../../fakes/countingIds.js";
import { ManualClock } from "../../../fakes/manualClock.js";

const ask: AwayAsk = {
  planId: "P",
  taskId: "T",
  asked: { id: "T-1", kind: "approval", subject: "s", title: "Remove a.ts", preview: "rm a.ts" },
  machine: "north",
  attempt: 1,
  mode: "rooroo-developer",
  conversation: undefined,
};

/** Cards of a window in which somebody decides so; absent: in which nobody decides anything. */
function shown(decision?: ApprovalDecision) {
  const events: ConversationEvent[] = [];
  const answers: TeamReply[] = [];
  const where = {
    id: "C",
    state: { items: [], positions: new Map(), tasks: new Map(), calls: new Map() },
  } as never;
  const approver: Approver = {
    request: (_request, signal) =>
      new Promise((resolve, reject) => {
        if (decision !== undefined) resolve(decision);
        signal.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
      }),
  };
  const cards = new TeamCards({
    conversations: { current: where, open: [where], get: () => Promise.resolve(where) },
    approver,
    clock: new ManualClock(),
    ids: new CountingIds(),
    emit: (event) => events.push(event),
    answer: (_ask, said) => {
      answers.push(said);
      return Promise.resolve(true);
    },
  });
  return { cards, events, answers };
}

const done = () => new Promise(setImmediate);

describe("the cards of plans that are away", () => {
  it("close when the team does not ask any more, and say so", async () => {
    const { cards, events } = shown();
    await cards.show([], [ask], true);
    await done();
    const before = events.length;
    await cards.show([], [], true);
    await done();
    assert.equal(before, 2);
    assert.match(JSON.stringify(events.slice(before)), /Somebody else has answered before/);
  });

  it("tell the team why something is denied, as a person has said it", async () => {
    const { cards, events, answers } = shown({ type: "denied", reason: " Use git rm. " });
    await cards.show([], [ask], true);
    await done();
    assert.deepEqual(answers, [{ deniedBecause: "Use git rm." }]);
    assert.match(JSON.stringify(events), /"allowed":false,"reason":"Use git rm\."/);
    const plain = shown({ type: "denied" });
    await plain.cards.show([], [ask], true);
    await done();
    assert.deepEqual(plain.answers, [false]);
  });

  it("say nothing when the window closes, and nothing after that", async () => {
    const { cards, events } = shown();
    await cards.show([], [ask], true);
    await done();
    const before = events.length;
    cards.dispose();
    await done();
    await cards.show([], [], true);
    await cards.show([], [{ ...ask, asked: { ...ask.asked, id: "T-2" } }], true);
    await done();
    assert.deepEqual(events.slice(before), []);
  });
});
