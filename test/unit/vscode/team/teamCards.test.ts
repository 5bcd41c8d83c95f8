import assert from "node:assert/strict";
import type { ApprovalDecision, Approver } from "../../../../src/core/approvals/approver.js";
import { inEnglish } from "../../../../src/core/conversation/events/draftedEvents.js";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { inLanguage } from "../../../../src/core/conversation/events/eventWords.js";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import type { AwayPlan } from "../../../../src/core/navigator/overview/overview.js";
import type { Asked } from "../../../../src/core/team/teamAsk.js";
import type { TeamReply } from "../../../../src/core/team/teamLink.js";
import { translator } from "../../../../src/core/text/translator.js";
import { words } from "../../../../src/core/text/words.js";
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

interface Given {
  /** What somebody decides; absent: nobody decides anything. */
  readonly decision?: ApprovalDecision;
  /** What the conversation's file has of an earlier window. */
  readonly before?: readonly ConversationEvent[];
  /** Whether nobody else has answered before. Default: nobody has. */
  readonly isFirst?: boolean;
  /** What happens while the team is told an answer. */
  readonly meanwhile?: (cards: TeamCards) => Promise<void>;
}

/** Cards of a window, with the conversation as the panel shows it. */
function shown({ decision, before = [], isFirst = true, meanwhile }: Given = {}) {
  const events: ConversationEvent[] = [];
  const answers: TeamReply[] = [];
  const state = newConversation();
  for (const event of before) applyEvent(state, event);
  const where = { id: "C", state };
  const approver: Approver = {
    request: (_request, signal) =>
      new Promise((resolve, reject) => {
        if (decision !== undefined) resolve(decision);
        signal.addEventListener("abort", () => {
          reject(new Error("aborted"));
        });
      }),
  };
  const cards: TeamCards = new TeamCards({
    conversations: { current: where, open: [where], get: () => Promise.resolve(where) },
    approver,
    clock: new ManualClock(),
    ids: new CountingIds(),
    emit: (event) => {
      events.push(event);
      applyEvent(state, event);
    },
    answer: async (_ask, said) => {
      answers.push(said);
      await meanwhile?.(cards);
      return isFirst;
    },
  });
  return { cards, events, answers, state };
}

const question: AwayAsk = {
  ...ask,
  asked: { id: "T-2", kind: "question", subject: "q", title: "Which?", suggestions: ["red"] },
};
const away: AwayPlan = {
  planId: "P",
  goal: "Paint it",
  conversation: "C",
  state: "open",
  tasks: [
    {
      taskId: "T",
      mode: "rooroo-developer",
      goal: "Paint",
      state: "asking",
      machine: "north",
      attempt: 1,
    },
  ],
};

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

  it("carry the words of a worker, so that they are shown in the reader's language", async () => {
    const { cards, events } = shown();
    const title = words("Remove {path}", { path: "a.ts" });
    const why = words("It removes files.");
    const asked = inEnglish<Asked>({ ...ask.asked, title, why });
    await cards.show([], [{ ...ask, asked }], true);
    await done();
    const german = translator("de", {
      "Remove {path}": "{path} entfernen",
      "It removes files.": "Es entfernt Dateien.",
      "{machine} asks, attempt {attempt}: {why}": "{machine} fragt, Versuch {attempt}: {why}",
    });
    const told = JSON.stringify(events.map((event) => inLanguage(event, german)));
    assert.match(told, /"toolStarted"[^}]*"title":"a\.ts entfernen"/);
    assert.match(told, /"action":{"access":"tool","title":"a\.ts entfernen"/);
    assert.match(told, /"why":"north fragt, Versuch 1: Es entfernt Dateien\."/);
  });

  it("tell the team why something is denied, as a person has said it", async () => {
    const { cards, events, answers } = shown({
      decision: { type: "denied", reason: " Use git rm. " },
    });
    await cards.show([], [ask], true);
    await done();
    assert.deepEqual(answers, [{ deniedBecause: "Use git rm." }]);
    assert.match(JSON.stringify(events), /"allowed":false,"reason":"Use git rm\."/);
    const plain = shown({ decision: { type: "denied" } });
    await plain.cards.show([], [ask], true);
    await done();
    assert.deepEqual(plain.answers, [false]);
  });

  it("are asked by the window that is reloaded, and can be answered there", async () => {
    const first = shown();
    await first.cards.show([away], [ask, question], true);
    await done();
    first.cards.dispose();
    const next = shown({
      before: first.events,
      decision: { type: "allowed", scope: "once" },
    });
    await next.cards.show([away], [ask, question], true);
    await done();
    assert.deepEqual(next.answers, [true]);
    // The question's card is in the conversation's file, and is not shown a second time.
    assert.ok(next.events.every(({ type }) => type !== "question"));
    const cards = next.state.items.filter(({ kind }) => kind === "question");
    assert.deepEqual(
      cards.map((card) => "answer" in card && card.answer),
      [false],
    );
    await next.cards.answer(question, "red");
    assert.deepEqual(next.answers, [true, "red"]);
    const [answered] = next.state.items.filter(({ kind }) => kind === "question");
    assert.equal(answered !== undefined && "answer" in answered && answered.answer, "red");
  });

  it("of a question that is answered elsewhere close once, and say so; a late answer does, too", async () => {
    const { cards, state, events } = shown();
    await cards.show([away], [question], true);
    // That the team cannot be asked says nothing of the question.
    await cards.show([away], [], false);
    const before = events.length;
    await cards.show([away], [], true);
    await cards.show([away], [], true);
    const told = events.slice(before).map(({ type }) => type);
    assert.deepEqual(told, ["questionClosed", "notice"]);
    const [card] = state.items.filter(({ kind }) => kind === "question");
    assert.ok(card !== undefined && "closed" in card && card.closed);
    assert.match(JSON.stringify(events.at(-1)), /Somebody else has answered before/);

    const late = shown({ isFirst: false });
    await late.cards.show([away], [question], true);
    await late.cards.answer(question, "red");
    assert.deepEqual(
      late.events.slice(-2).map(({ type }) => type),
      ["questionClosed", "notice"],
    );
  });

  it("of a question stay open while it is answered here, though the team does not ask it any more", async () => {
    const { cards, events } = shown({ meanwhile: (own) => own.show([away], [], true) });
    await cards.show([away], [question], true);
    const before = events.length;
    await cards.answer(question, "red");
    await cards.show([away], [], true);
    assert.deepEqual(
      events.slice(before).map(({ type }) => type),
      ["answered"],
    );
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
