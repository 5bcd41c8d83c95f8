import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { call, type ModelServer, report, triage } from "../modelServer/modelServer.js";
import { configure, disk, eventually, product } from "./product.js";
import { useModelServer } from "./useModelServer.js";

describe("the Navigator in the editor", () => {
  let server: ModelServer;
  useModelServer(
    (started) => {
      server = started;
    },
    { "approvals.preset": "all" },
  );

  it("has an expert edit a file of the workspace", async () => {
    const { session, conversation } = await product();
    await disk.write("greeting.txt", "Hello, wrold\n");
    server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Correct greeting.txt" }),
      call("edit_file", { path: "greeting.txt", old_text: "wrold", new_text: "world" }),
      report("Done", "Corrected the greeting."),
    );
    const { status } = await (await session.navigator()).say("Correct the greeting");
    assert.equal(status, "done");
    assert.equal(await disk.read("greeting.txt"), "Hello, world\n");
    assert.equal(server.left, 0);
    const last = conversation.state.items.findLast((item) => item.kind === "report");
    assert.equal(last?.message, "Corrected the greeting.");
    await disk.remove("greeting.txt");
  });

  it("asks the model that a mode's settings name", async () => {
    const { session } = await product();
    const own = { model: "gpt-other", temperature: 0.5, reasoningEffort: "low" };
    await configure("modes", { "rooroo-analyzer": own });
    server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Look" }),
      report("Done", "Looked."),
    );
    await (await session.navigator()).say("Look");
    assert.deepEqual(
      server.requests.map(({ model, temperature, reasoning_effort: effort }) => [
        model,
        temperature,
        effort,
      ]),
      [
        ["gpt-test", undefined, undefined],
        ["gpt-other", 0.5, "low"],
      ],
    );
    await configure("modes", undefined);
  });

  it("runs as many tasks at a time as the settings say, and says how many", async () => {
    const { session, surfaces, tasks } = await product();
    await configure("queue.concurrency", 2);
    let finish: (value: unknown) => void = () => undefined;
    const both = new Promise((resolve) => (finish = resolve));
    const done = { after: both, then: report("Done", "There.") };
    server.script(done, done);
    const queued = (number: number) =>
      JSON.stringify({
        taskId: `ROO#TASK_20260102030405_AB12C${number}`,
        suggested_mode: "rooroo-analyzer",
        goal_for_expert: `Look ${number}`,
      });
    await disk.write(".rooroo/queue.jsonl", `${queued(7)}\n${queued(8)}\n`);
    const drained = (await session.navigator()).proceed();
    await eventually(
      () => tasks.overview.tasks.filter(({ state }) => state === "running").length === 2,
      "two running tasks",
    );
    await eventually(
      () => surfaces.statusBar.text.includes("2 experts are working"),
      "the status bar",
    );
    finish(undefined);
    assert.equal((await drained).status, "done");
    await configure("queue.concurrency", undefined);
  });

  it("[R-ROO-7] says that the queue is empty, without asking a model", async () => {
    const { conversation } = await product();
    server.script();
    await vscode.commands.executeCommand("rooroo.proceed");
    const notice = conversation.state.items.findLast((item) => item.kind === "notice");
    assert.equal(notice?.text, "The queue is empty.");
    assert.equal(server.requests.length, 0);
  });

  it("keeps what was said in the workspace's journal", async () => {
    const { session } = await product();
    await session.stop();
    const { id } = session.conversations.current;
    const journal = await disk.read(`.rooroo/conversations/${id}.jsonl`);
    assert.match(journal, /Task queue is empty\./);
  });

  it("shows whom it waits for, and goes on when the question is answered", async () => {
    const { session, status, tasks } = await product();
    server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Count" }),
      call("ask_followup_question", { question: "Lines or words?", suggestions: ["Lines"] }),
    );
    await (await session.navigator()).say("Count");
    const waiting = await eventually(
      () => tasks.overview.tasks.find(({ question }) => question !== undefined),
      "a question in the list",
    );
    await eventually(() => status.current.needsYou === 1, "the count");
    server.script(report("Done", "3 lines."));
    await (await session.navigator()).answer(waiting.taskId, "Lines");
    await eventually(() => status.current.needsYou === 0, "nothing waits");
  });
});
