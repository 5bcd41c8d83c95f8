import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import type { ChatMetadata } from "../../src/vscode/chat/chatInput.js";
import { call, type ModelServer, report, triage } from "../modelServer/modelServer.js";
import { configure, disk, eventually, product } from "./product.js";
import { useModelServer } from "./useModelServer.js";

/** Returns a stream like those of VS Code's chat, and the lines that are written to it. */
function fakeStream() {
  const lines: string[] = [];
  const text = (value: string | vscode.MarkdownString) =>
    typeof value === "string" ? value : value.value;
  const stream = {
    progress: (value: string) => lines.push(`… ${value}`),
    markdown: (value: string | vscode.MarkdownString) => lines.push(text(value)),
    reference: (value: vscode.Uri) => lines.push(`file ${vscode.workspace.asRelativePath(value)}`),
    button: ({ title, command }: vscode.Command) => lines.push(`[${title}] ${command}`),
  };
  return { stream: stream as unknown as vscode.ChatResponseStream, lines };
}

const request = (prompt: string, command?: string) =>
  ({ prompt, command, references: [], toolReferences: [] }) as unknown as vscode.ChatRequest;
const fresh: vscode.ChatContext = { history: [] };
const never = new vscode.CancellationTokenSource().token;

describe("@rooroo in VS Code's chat", () => {
  let server: ModelServer;
  useModelServer(
    (started) => {
      server = started;
    },
    { "approvals.preset": "all" },
  );

  it("has the Navigator do what is asked, and shows it here as well as in the panel", async () => {
    const { participant, conversation } = await product();
    await disk.write("greeting.txt", "Hello, wrold\n");
    server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Correct greeting.txt" }),
      call("edit_file", { path: "greeting.txt", old_text: "wrold", new_text: "world" }),
      report("Done", "Corrected the greeting.", { output_artifact_paths: ["greeting.txt"] }),
    );
    const { stream, lines } = fakeStream();
    const result = await participant.handle(request("Correct the greeting"), fresh, stream, never);
    const metadata = result.metadata as ChatMetadata;
    assert.equal(metadata.status, "done");
    assert.equal(metadata.tasks.length, 1);
    assert.equal(await disk.read("greeting.txt"), "Hello, world\n");
    const all = lines.join("\n");
    assert.match(all, /… Developer is on it: Correct greeting\.txt/);
    assert.match(all, /Corrected the greeting\./);
    assert.match(all, /file greeting\.txt/);
    assert.match(all, /\[Review Changes\] rooroo\.reviewChanges/);
    assert.doesNotMatch(all, /ROO#/, "no ids");
    const last = conversation.state.items.findLast((item) => item.kind === "report");
    assert.equal(last?.message, "Corrected the greeting.");
    await disk.remove("greeting.txt");
  });

  it("takes its slash commands without asking a model what is meant", async () => {
    const { participant } = await product();
    server.script(report("Done", "An invoice."));
    const { stream, lines } = fakeStream();
    await participant.handle(request("What is this?", "ask"), fresh, stream, never);
    assert.equal(server.requests.length, 1);
    assert.match(lines.join(""), /An invoice\./);
    const empty = await participant.handle(request("", "plan"), fresh, stream, never);
    assert.match(empty.errorDetails?.message ?? "", /Say after \/plan/);
    assert.equal(server.requests.length, 1);
  });

  it("takes the next message for the answer to a question", async () => {
    const { participant } = await product();
    server.script(
      call("ask_followup_question", { question: "Lines or words?", suggestions: ["Lines"] }),
    );
    const { stream, lines } = fakeStream();
    const asked = await participant.handle(request("Count", "ask"), fresh, stream, never);
    assert.match(lines.join(""), /\*\*Analyzer asks:\*\* Lines or words\?/);
    const { followups } = asked.metadata as ChatMetadata;
    assert.deepEqual(followups, [{ prompt: "Lines", label: "Lines" }]);
    server.script(report("Done", "3 lines."));
    const turn = Object.create(vscode.ChatResponseTurn.prototype, {
      participant: { value: "rooroo.navigator" },
      result: { value: asked },
    }) as vscode.ChatResponseTurn;
    const after = fakeStream();
    await participant.handle(request("Lines"), { history: [turn] }, after.stream, never);
    assert.match(after.lines.join(""), /3 lines\./);
    assert.equal(server.requests.length, 1, "the same expert goes on");
  });

  it("stops its own task when it is cancelled, and no other", async () => {
    const { participant, session, tasks } = await product();
    await configure("queue.concurrency", 2);
    let finish: (value: unknown) => void = () => undefined;
    const both = new Promise((resolve) => (finish = resolve));
    server.script(
      { after: both, then: report("Done", "The other is done.") },
      { after: both, then: report("Done", "No.") },
    );
    const other = (await session.navigator()).say("/ask The other");
    await eventually(() => server.requests.length === 1, "the other has begun");
    const source = new vscode.CancellationTokenSource();
    const { stream, lines } = fakeStream();
    const own = participant.handle(request("Mine", "ask"), fresh, stream, source.token);
    await eventually(() => server.requests.length === 2, "both have begun");
    source.cancel();
    const { metadata } = await own;
    assert.equal((metadata as ChatMetadata).status, "failed");
    assert.match(lines.join("").replaceAll("&nbsp;", " "), /Analyzer was stopped\./);
    finish(undefined);
    assert.equal((await other).status, "done");
    await eventually(
      () =>
        tasks.overview.tasks.some(({ goal, state }) => goal === "The other" && state === "done"),
      "the other is done",
    );
    await configure("queue.concurrency", undefined);
  });
});

describe("Rooroo's tools for other models", () => {
  const invoke = async (name: string, input: object): Promise<string> => {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, never);
    return content.map((part) => (part as vscode.LanguageModelTextPart).value).join("");
  };
  const tools = vscode.workspace.getConfiguration("chat.tools");
  before(async () => {
    await product();
    // VS Code asks whether this is meant, which nobody answers here.
    const unasked = "vscode.chat.tools.global.autoApprove.testMode";
    await vscode.commands.executeCommand("setContext", unasked, true);
    await tools.update("global.autoApprove", true, vscode.ConfigurationTarget.Global);
  });
  after(async () => {
    await tools.update("global.autoApprove", undefined, vscode.ConfigurationTarget.Global);
    await disk.remove(".rooroo/queue.jsonl");
  });

  it("add a task to the queue, without starting it, and tell of it", async () => {
    const { tasks } = await product();
    const added = await invoke("rooroo_add_task", { goal: "Describe the CSV export" });
    assert.match(added, /^Added task ROO#TASK_\w+ for rooroo-developer\./);
    await eventually(
      () => tasks.overview.tasks.some(({ goal }) => goal === "Describe the CSV export"),
      "the task in the list",
    );
    const status = await invoke("rooroo_status", {});
    assert.match(status, /Queued, the next one first \(1\):\n- ROO#.*Describe the CSV export/);
    const [, taskId = ""] = /task (\S+)/.exec(added) ?? [];
    assert.match(await invoke("rooroo_status", { taskId }), /^Task ROO#\S+: Queued\n/);
  });

  it("refuse what does not fit their schema, and are not offered to our own experts", async () => {
    await assert.rejects(invoke("rooroo_add_task", { goal: "" }), /./);
    await assert.rejects(invoke("rooroo_add_task", { goal: "x", mode: "y" }), /./);
    assert.match(
      await invoke("rooroo_add_task", { goal: "x", expert: "nobody" }),
      /^Error: There is no expert nobody/,
    );
    assert.ok(vscode.lm.tools.some(({ name }) => name === "rooroo_status"));
    await configure("tools.vscode", ["rooroo_status"]);
    const { EditorTools } = await import("../../src/vscode/workspace/editorTools.js");
    assert.deepEqual(new EditorTools(() => ["rooroo_status"]).offered(), []);
    await configure("tools.vscode", undefined);
  });
});
