import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import type { Intent } from "../../src/core/agent/tool.js";
import { Terminal } from "../../src/cli/terminal.js";
import { TerminalApprover } from "../../src/cli/terminalApprover.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays, queueLine, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Do it" };

function does(tool: string, args: Record<string, unknown>) {
  return plays(direct, {
    "rooroo-developer": (request) => (settled(request) === 0 ? calls(tool, args) : completes()),
  });
}

describe("approvals without a terminal", () => {
  afterEach(closeStages);

  it("let the task wait, with 2, and say what waits and how to go on", async () => {
    const stage = await Stage.open(does("write_to_file", { path: "a.txt", content: "new\n" }));
    const { code, stdout } = await stage.run("ask", "Do it");
    assert.equal(code, 2);
    assert.match(stdout, /Waits for approval: Create a\.txt\n[^]*\+new\n/);
    const [, taskId = ""] = /→ rooroo resume (\S+) --approve all {3}#/.exec(stdout) ?? [];
    assert.equal(await stage.read("a.txt"), "");
    assert.equal((await stage.run("resume", taskId)).code, 2);
    const resumed = await stage.runAll("resume", taskId);
    assert.equal(resumed.code, 0, resumed.stderr);
    assert.equal(await stage.read("a.txt"), "new\n");
    assert.equal(stage.model.requests.length, 3);
  });

  it("hold for what every preset asks about, which only a person can allow", async () => {
    const stage = await Stage.open(does("write_to_file", { path: ".npmrc", content: "x\n" }));
    const { code, stdout } = await stage.runAll("ask", "Do it");
    assert.equal(code, 2);
    assert.match(stdout, /→ rooroo resume \S+ --approve all {3}# asks you, when run on a terminal/);
    assert.doesNotMatch(stdout, /# allows it/);
  });

  it("keep a queued task in the queue, and its resumption works on through the queue", async () => {
    const queue = queueLine("A") + queueLine("B");
    const stage = await Stage.open(does("execute_command", { command: "echo hi" }), {
      ".rooroo/queue.jsonl": queue,
    });
    assert.equal((await stage.run("proceed")).code, 2);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), queue);
    assert.equal((await stage.runAll("resume", "ROO#TASK_A")).code, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
  });

  it("are all that is asked with --approve ask, a task's own files included", async () => {
    const stage = await Stage.open(
      plays(direct, {
        "rooroo-developer": (request) =>
          calls("write_to_file", {
            path: `.rooroo/tasks/${request.taskId}/x.md`,
            content: "x\n",
          }),
      }),
    );
    assert.equal((await stage.run("ask", "Do it", "--approve", "ask")).code, 2);
  });
});

describe("approvals at a terminal", () => {
  const edit: Intent = {
    access: "write",
    title: "Edit a.js",
    path: "a.js",
    inside: true,
    preview: { kind: "diff", text: "--- a/a.js\n+++ b/a.js\n-old\n+new\n" },
  };

  function person(...lines: string[]) {
    const input = new PassThrough();
    const errors = Object.assign(new PassThrough(), { isTTY: true });
    const terminal = new Terminal(
      new PassThrough() as unknown as WriteStream,
      errors as unknown as WriteStream,
      { isTTY: true },
      { NO_COLOR: "1" },
    );
    const approver = new TerminalApprover(input, terminal);
    const asked = () => (errors.read() as Buffer | null)?.toString() ?? "";
    const ask = async (intent: Intent, signal = new AbortController().signal) => {
      const request = { approvalId: "a", taskId: "t", callId: "c", intent };
      const decision = approver.request(request, signal);
      // Each line comes when it is waited for, as from a keyboard.
      for (const line of lines) {
        await new Promise((resolve) => setImmediate(resolve));
        input.write(`${line}\n`);
      }
      return decision;
    };
    return { ask, asked, input };
  }

  it("are decided by a letter; words are a no with a reason", async () => {
    for (const [said, decision] of [
      ["y", { type: "allowed", scope: "once" }],
      [" Yes ", { type: "allowed", scope: "once" }],
      ["t", { type: "allowed", scope: "task" }],
      ["n", { type: "denied" }],
      ["not in this file", { type: "denied", reason: "not in this file" }],
    ] as const) {
      const { ask, asked } = person(said);
      assert.deepEqual(await ask(edit), decision);
      assert.match(
        asked(),
        /\? Edit a\.js\n {4}--- a\/a\.js\n[^]*Allow\? \[y\] yes, \[t\] yes, for/,
      );
    }
  });

  it("are asked again when nothing was said, and offer no more than a task can be granted", async () => {
    const outside = { ...edit, path: "/etc/hosts", inside: false };
    const { ask, asked } = person("", "t", "y");
    assert.deepEqual(await ask(outside), { type: "allowed", scope: "once" });
    const shown = asked();
    assert.equal(shown.match(/Allow\?/g)?.length, 3);
    assert.match(shown, /outside the workspace/);
    assert.doesNotMatch(shown, /\[t\]/);
  });

  it("are open when the input ends, and given up when the work is stopped", async () => {
    const left = person();
    const open = left.ask(edit);
    left.input.end();
    assert.deepEqual(await open, { type: "unavailable" });

    const stopped = new AbortController();
    const pending = person().ask(edit, stopped.signal);
    stopped.abort(new Error("Stopped."));
    await assert.rejects(pending, /Stopped\./);
  });
});
