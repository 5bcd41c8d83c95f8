import assert from "node:assert/strict";
import { asks, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

describe("a brainstorm that was left", () => {
  it("[R-ROO-6] stays left after a restart, and its question can still be answered", async () => {
    const first = new NavigatorStage([
      triages({ route: "brainstorm", goal: "Names" }),
      asks("Which direction?"),
    ]);
    await first.navigator.say("Let us find a name");
    const [question] = first.questions;
    assert.ok(question?.taskId);
    assert.equal(first.navigator.talkingTo(), "rooroo-idea-sparker");
    await first.navigator.say("/leave");
    assert.equal(first.navigator.talkingTo(), null);
    const closed = first.events.filter(({ type }) => type === "questionClosed");
    assert.equal(closed.length, 1);

    const next = new NavigatorStage(
      [triages({ route: "acknowledge" }), asks("Shorter?"), completes()],
      { files: first.files },
    );
    await next.navigator.recover(() => false);
    assert.equal(next.questions.length, 0);
    const { tasks } = await next.navigator.overview();
    assert.notEqual(tasks[0]?.state, "needsYou");
    await next.navigator.say("thanks");
    assert.ok(next.model.requests[0]?.forcedTool, "the goal went to triage");

    await next.navigator.answer(question.taskId, "Abacus");
    assert.match(next.model.requests[1]!.messages.at(-1)!.content, /Abacus/);
    assert.equal(next.navigator.talkingTo(), "rooroo-idea-sparker");
    await next.navigator.say("Yes");
    assert.equal(next.navigator.talkingTo(), null);
  });
});
