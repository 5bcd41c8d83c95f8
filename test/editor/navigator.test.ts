import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { call, ModelServer, report, triage } from "../modelServer/modelServer.js";
import { configure, disk, eventually, product } from "./product.js";

describe("the Navigator in the editor", () => {
  let server: ModelServer;
  before(async () => {
    server = await ModelServer.start();
    await configure("model.baseUrl", server.url);
    await configure("model.name", "gpt-test");
    await configure("approvals.preset", "all");
  });
  after(async () => {
    for (const key of ["model.baseUrl", "model.name", "approvals.preset"]) {
      await configure(key, undefined);
    }
    await server.stop();
  });

  it("has an expert edit a file of the workspace", async () => {
    const { session, conversation } = await product();
    await disk.write("greeting.txt", "Hello, wrold\n");
    server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Correct greeting.txt" }),
      call("edit_file", { path: "greeting.txt", old_text: "wrold", new_text: "world" }),
      report("Done", "Corrected the greeting."),
    );
    const { status } = await session.navigator.say("Correct the greeting");
    assert.equal(status, "done");
    assert.equal(await disk.read("greeting.txt"), "Hello, world\n");
    assert.equal(server.left, 0);
    const last = conversation.state.items.findLast((item) => item.kind === "report");
    assert.equal(last?.message, "Corrected the greeting.");
    await disk.remove("greeting.txt");
  });

  it("[R-ROO-7] says that the queue is empty, without asking a model", async () => {
    const { conversation } = await product();
    server.script();
    await vscode.commands.executeCommand("rooroo.proceed");
    const notice = conversation.state.items.findLast((item) => item.kind === "notice");
    assert.equal(notice?.text, "Task queue is empty.");
    assert.equal(server.requests.length, 0);
  });

  it("keeps what was said in the workspace's journal", async () => {
    const { session } = await product();
    await session.stop();
    const journal = await disk.read(".rooroo/logs/conversation.jsonl");
    assert.match(journal, /Task queue is empty\./);
  });

  it("shows whom it waits for, and goes on when the question is answered", async () => {
    const { session, status, tasks } = await product();
    server.script(
      triage("direct", { expert: "rooroo-analyzer", goal: "Count" }),
      call("ask_followup_question", { question: "Lines or words?", suggestions: ["Lines"] }),
    );
    await session.navigator.say("Count");
    const waiting = await eventually(
      () => tasks.overview.tasks.find(({ question }) => question !== undefined),
      "a question in the list",
    );
    await eventually(() => status.current.needsYou === 1, "the count");
    server.script(report("Done", "3 lines."));
    await session.navigator.answer(waiting.taskId, "Lines");
    await eventually(() => status.current.needsYou === 0, "nothing waits");
  });
});
