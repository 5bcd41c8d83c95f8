import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { configure, disk, eventually, product } from "./product.js";

describe("Rooroo's tools for other models", () => {
  const invoke = async (name: string, input: object): Promise<string> => {
    const options = { input, toolInvocationToken: undefined };
    const { token } = new vscode.CancellationTokenSource();
    const { content } = await vscode.lm.invokeTool(name, options, token);
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
