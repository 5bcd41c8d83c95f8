import assert from "node:assert/strict";
import { asks, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

describe("a brainstorm", () => {
  it("[R-ROO-6] that was left stays left after a restart, and its question can still be answered", async () => {
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

  it("[R-ROO-6] takes what the user writes while it speaks for the reply", async () => {
    const reply = /Shorter\.\n<\/request>$/;
    const stage = new NavigatorStage([
      triages({ route: "brainstorm", goal: "Names" }),
      async () => {
        await stage.navigator.tell(stage.started[0] ?? "", "Shorter.");
        return { text: "Which direction?" };
      },
      { text: "Abakus?" },
    ]);
    assert.equal((await stage.navigator.say("Let us find a name")).status, "waiting");
    assert.match(stage.model.requests[2]?.messages.at(-1)?.content ?? "", reply);
    assert.deepEqual(
      stage.questions.map(({ text }) => text),
      ["Abakus?"],
    );
  });

  for (const moment of ["before its question is there", "when it has just asked"]) {
    it(`[R-ROO-6] takes what the user writes ${moment} for the reply`, async () => {
      const stage = new NavigatorStage([
        triages({ route: "brainstorm", goal: "Names" }),
        { text: "Which direction?" },
        { text: "Abakus?" },
      ]);
      const { store } = stage.dependencies;
      const write = store.writeQuestion.bind(store);
      let told: Promise<void> | undefined;
      store.writeQuestion = async (taskId, question) => {
        if (!moment.startsWith("before")) return write(taskId, question);
        told ??= stage.navigator.tell(taskId, "Shorter.");
        await told;
        return write(taskId, question);
      };
      await stage.navigator.say("Let us find a name");
      const [taskId = ""] = stage.started;
      if (told === undefined) await stage.navigator.tell(taskId, "Shorter.");
      assert.match(
        stage.model.requests[2]?.messages.at(-1)?.content ?? "",
        /Shorter\.\n<\/request>$/,
      );
      assert.equal(stage.questions.at(-1)?.text, "Abakus?");
      assert.equal(stage.events.filter(({ type }) => type === "questionClosed").length, 1);
      assert.ok(!stage.files.paths.some((path) => path.includes("message-")));
      await stage.navigator.say("Good.");
    });
  }
});
