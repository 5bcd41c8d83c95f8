import { strict as assert } from "node:assert";
import { call, report, triage } from "../../../modelServer/modelServer.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("the Navigator in the editor", () => {
  let stage: ExtensionStage;
  useExtensionStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });

  it("has an expert edit a file of the workspace", async () => {
    const { conversation } = stage.parts;
    await stage.write("greeting.txt", "Hello, wrold\n");
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Correct greeting.txt" }),
      call("edit_file", { path: "greeting.txt", old_text: "wrold", new_text: "world" }),
      report("Done", "Corrected the greeting."),
    );
    const { status } = await stage.tell("Correct the greeting");
    assert.equal(status, "done");
    assert.equal(await stage.read("greeting.txt"), "Hello, world\n");
    assert.equal(stage.server.left, 0);
    const last = conversation.state.items.findLast((item) => item.kind === "report");
    assert.equal(last?.message, "Corrected the greeting.");
    await stage.remove("greeting.txt");
  });

  it("asks the model that a mode's settings name", async () => {
    const own = { model: "gpt-other", temperature: 0.5, reasoningEffort: "low" };
    stage.configure("modes", { "rooroo-analyzer": own });
    stage.server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Look" }),
      report("Done", "Looked."),
    );
    await stage.tell("Look");
    assert.deepEqual(
      stage.server.requests.map(({ model, temperature, reasoning_effort: effort }) => [
        model,
        temperature,
        effort,
      ]),
      [
        ["gpt-test", undefined, undefined],
        ["gpt-other", 0.5, "low"],
      ],
    );
    stage.configure("modes", undefined);
  });

  it("runs as many tasks at a time as the settings say, and says how many", async () => {
    const { session, tasks } = stage.parts;
    stage.configure("queue.concurrency", 2);
    let finish: (value: unknown) => void = () => undefined;
    const both = new Promise((resolve) => (finish = resolve));
    const done = { after: both, then: report("Done", "There.") };
    stage.server.script(done, done);
    const queued = (number: number) =>
      JSON.stringify({
        taskId: `ROO#TASK_20260102030405_AB12C${number}`,
        suggested_mode: "rooroo-analyzer",
        goal_for_expert: `Look ${number}`,
      });
    await stage.write(".rooroo/queue.jsonl", `${queued(7)}\n${queued(8)}\n`);
    const drained = (await session.navigator()).proceed();
    await until(
      () => tasks.overview.tasks.filter(({ state }) => state === "running").length === 2,
      "two running tasks",
    );
    await until(() => stage.statusBar.includes("2 experts are working"), "the status bar");
    finish(undefined);
    assert.equal((await drained).status, "done");
    stage.configure("queue.concurrency", undefined);
  });

  it("[R-ROO-7] says that the queue is empty, without asking a model", async () => {
    stage.server.script();
    await stage.command("rooroo.proceed");
    await until(() => stage.notices.at(-1) === "The queue is empty.", "the notice");
    assert.equal(stage.server.requests.length, 0);
  });

  it("keeps what was said in the workspace's journal", async () => {
    const { session } = stage.parts;
    await session.stop();
    const { id } = session.conversations.current;
    const journal = await stage.read(`.rooroo/conversations/${id}.jsonl`);
    assert.match(journal, /The queue is empty\./);
  });

  it("shows whom it waits for, and goes on when the question is answered", async () => {
    const { session, status, tasks } = stage.parts;
    stage.server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Count" }),
      call("ask_followup_question", { question: "Lines or words?", suggestions: ["Lines"] }),
    );
    await stage.tell("Count");
    const waiting = await until(
      () => tasks.overview.tasks.find(({ question }) => question !== undefined),
      "a question in the list",
    );
    await until(() => status.current.needsYou === 1, "the count");
    stage.server.script(report("Done", "3 lines."));
    await (await session.navigator()).answer(waiting.taskId, "Lines");
    await until(() => status.current.needsYou === 0, "nothing waits");
  });
});
