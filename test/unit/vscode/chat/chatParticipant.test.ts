import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ChatMetadata } from "../../../../src/vscode/chat/chatInput.js";
import { call, report, triage } from "../../../modelServer/modelServer.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

describe("@rooroo in VS Code's chat", () => {
  let stage: ExtensionStage;
  useExtensionStage({ settings: { "rooroo.approvals.preset": "all" } }, (opened) => {
    stage = opened;
  });

  /** Asks it, with a slash command or without; tells what it wrote, a line each. */
  const ask = async (
    prompt: string,
    command?: string,
    more: { history?: vscode.ChatResponseTurn[]; token?: vscode.CancellationToken } = {},
  ) => {
    const { history = [], token } = more;
    const request = { prompt, ...(command === undefined ? {} : { command }) };
    const { written, result } = await stage.editor.chat.ask(
      "rooroo.navigator",
      request,
      { history },
      token,
    );
    const text = (value: unknown) =>
      typeof value === "string" ? value : (value as vscode.MarkdownString).value;
    const lines = written.map(({ kind, args: [value] }) => {
      if (kind === "progress") return `… ${text(value)}`;
      if (kind === "reference") {
        return `file ${vscode.workspace.asRelativePath(value as vscode.Uri)}`;
      }
      if (kind !== "button") return text(value);
      const { title, command: id } = value as vscode.Command;
      return `[${title}] ${id}`;
    });
    const { metadata, errorDetails } = result ?? {};
    return { lines, result, metadata: metadata as ChatMetadata, errorDetails };
  };
  it("has the Navigator do what is asked, and shows it here as well as in the panel", async () => {
    const { conversation } = stage.api;
    await stage.write("greeting.txt", "Hello, wrold\n");
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Correct greeting.txt" }),
      call("edit_file", { path: "greeting.txt", old_text: "wrold", new_text: "world" }),
      report("Done", "Corrected the greeting.", { output_artifact_paths: ["greeting.txt"] }),
    );
    const { lines, metadata } = await ask("Correct the greeting");
    assert.equal(metadata.status, "done");
    assert.equal(metadata.tasks.length, 1);
    assert.equal(await stage.read("greeting.txt"), "Hello, world\n");
    const all = lines.join("\n");
    assert.match(all, /… Developer is on it: Correct greeting\.txt/);
    assert.match(all, /Corrected the greeting\./);
    assert.match(all, /file greeting\.txt/);
    assert.match(all, /\[Review Changes\] rooroo\.reviewChanges/);
    assert.doesNotMatch(all, /ROO#/, "no ids");
    const last = conversation.state.items.findLast((item) => item.kind === "report");
    assert.equal(last?.message, "Corrected the greeting.");
    await stage.remove("greeting.txt");
  });

  it("takes its slash commands without asking a model what is meant", async () => {
    stage.server.script(report("Done", "An invoice."));
    const { lines } = await ask("What is this?", "ask");
    assert.equal(stage.server.requests.length, 1);
    assert.match(lines.join(""), /An invoice\./);
    const empty = await ask("", "plan");
    assert.match(empty.errorDetails?.message ?? "", /Say after \/plan/);
    assert.equal(stage.server.requests.length, 1);
  });

  it("takes the next message for the answer to a question", async () => {
    stage.server.script(
      call("ask_followup_question", { question: "Lines or words?", suggestions: ["Lines"] }),
    );
    const asked = await ask("Count", "ask");
    assert.match(asked.lines.join(""), /\*\*Analyzer asks:\*\* Lines or words\?/);
    const { followups } = asked.metadata;
    assert.deepEqual(followups, [{ prompt: "Lines", label: "Lines" }]);
    stage.server.script(report("Done", "3 lines."));
    const turn = Object.create(vscode.ChatResponseTurn.prototype, {
      participant: { value: "rooroo.navigator" },
      result: { value: asked.result },
    }) as vscode.ChatResponseTurn;
    const after = await ask("Lines", undefined, { history: [turn] });
    assert.match(after.lines.join(""), /3 lines\./);
    assert.equal(stage.server.requests.length, 1, "the same expert goes on");
  });

  it("stops its own task when it is cancelled, and no other", async () => {
    const { session, tasks } = stage.parts;
    stage.configure("queue.concurrency", 2);
    let finish: (value: unknown) => void = () => undefined;
    const both = new Promise((resolve) => (finish = resolve));
    stage.server.script(
      { after: both, then: report("Done", "The other is done.") },
      { after: both, then: report("Done", "No.") },
    );
    const other = (await session.navigator()).say("/ask The other");
    await until(() => stage.server.requests.length === 1, "the other has begun");
    const source = new vscode.CancellationTokenSource();
    const own = ask("Mine", "ask", { token: source.token });
    await until(() => stage.server.requests.length === 2, "both have begun");
    source.cancel();
    const { metadata, lines } = await own;
    assert.equal(metadata.status, "failed");
    assert.match(lines.join("").replaceAll("&nbsp;", " "), /Analyzer was stopped\./);
    finish(undefined);
    assert.equal((await other).status, "done");
    await until(
      () =>
        tasks.overview.tasks.some(({ goal, state }) => goal === "The other" && state === "done"),
      "the other is done",
    );
    stage.configure("queue.concurrency", undefined);
  });
});
