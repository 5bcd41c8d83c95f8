import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import type { WriteStream } from "node:tty";
import { Terminal } from "../../src/cli/terminal/terminal.js";
import { TerminalApprover } from "../../src/cli/terminal/terminalApprover.js";
import type { ProposedAction } from "../../src/core/agent/tool.js";
import type { ApprovalRequest } from "../../src/core/approvals/approver.js";
import { words } from "../../src/core/text/words.js";
import { PermissionFile } from "../../src/node/user/permissionFile.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { Rooroo } from "./rooroo.js";
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
    assert.match(stdout, /Awaiting approval: Create a\.txt\n[^]*\+new\n/);
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
    assert.match(stdout, /→ rooroo resume \S+ --approve all {3}# asks you, if run in a terminal/);
    assert.doesNotMatch(stdout, /# allows it/);
  });

  it("keep a queued task in the queue, and its resumption works on through the queue", async () => {
    const queue = queueLine("A") + queueLine("B");
    const stage = await Stage.open(does("execute_command", { command: "touch hi" }), {
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

describe("approvals for good", () => {
  afterEach(closeStages);

  const command = { command: "echo hi > said.txt", cwd: "" };

  async function allow(stage: Stage): Promise<void> {
    const store = new PermissionFile(stage.home, stage.root);
    const bound = "";
    await store.add({
      id: "g1",
      since: "2026-01-05T10:00:00.000Z",
      grant: { kind: "command", ...command, bound },
    });
  }

  it("let just what they were given for run unasked, in their workspace only", async () => {
    const stage = await Stage.open(does("execute_command", { command: command.command }));
    await allow(stage);
    assert.equal((await stage.run("ask", "Do it")).code, 0);
    assert.equal(await stage.read("said.txt"), "hi\n");
    const elsewhere = await Stage.open(does("execute_command", { command: command.command }));
    await elsewhere.write("x", "");
    const asked = new Rooroo(["ask", "Do it"], {
      cwd: elsewhere.root,
      env: { ...elsewhere.model.env, ROOROO_HOME: stage.home },
    });
    assert.equal((await asked.ended).code, 2);
  });

  it("are listed, and revoked", async () => {
    const stage = await Stage.open(does("execute_command", { command: command.command }));
    assert.match((await stage.run("approvals", "list")).stdout, /No permissions have been granted/);
    await allow(stage);
    const { stdout } = await stage.run("approvals", "list");
    assert.match(stdout, /^g1 {2}2026-01-05 {2}Exactly this command: echo hi > said\.txt\n$/);
    assert.equal((await stage.run("approvals", "revoke", "g2")).code, 64);
    assert.equal((await stage.run("approvals", "revoke", "g1")).code, 0);
    assert.equal((await stage.run("ask", "Do it")).code, 2);
  });

  it("cannot be forged by a file in the workspace", async () => {
    const stage = await Stage.open(does("execute_command", { command: command.command }));
    await allow(stage);
    const [name = ""] = await readdir(join(stage.home, "approvals"));
    await stage.write(
      `approvals/${name}`,
      await readFile(join(stage.home, "approvals", name), "utf8"),
    );
    const forged = new Rooroo(["ask", "Do it"], {
      cwd: stage.root,
      env: { ...stage.model.env, ROOROO_HOME: stage.root },
    });
    assert.equal((await forged.ended).code, 2);
  });
});

describe("rules for categories on the command line", () => {
  afterEach(closeStages);

  it("stand over the preset, and are checked", async () => {
    const stage = await Stage.open(does("execute_command", { command: "echo hi > said.txt" }));
    const denied = await stage.run("ask", "Do it", "--approve", "all,command=deny");
    assert.equal(denied.code, 0);
    assert.equal(await stage.read("said.txt"), "");
    for (const wrong of ["some", "all,commands=deny", "all,command=maybe", "command=deny"]) {
      assert.equal((await stage.run("status", "--approve", wrong)).code, 64, wrong);
    }
  });
});

describe("limits on the command line", () => {
  afterEach(closeStages);

  it("let the task wait, with 2, and the day's use count over commands", async () => {
    const stage = await Stage.open(does("list_files", { path: "." }));
    const limited = await stage.run("ask", "Do it", "--limit-task", "requests=1");
    assert.equal(limited.code, 2);
    assert.match(limited.stdout, /Awaiting approval: Go on for another 1 request\n/);
    assert.equal(stage.model.requests.length, 2);
    const [, taskId = ""] = /rooroo resume (\S+)/.exec(limited.stdout) ?? [];
    const later = await stage.run("resume", taskId, "--limit-day", "requests=2");
    assert.equal(later.code, 2);
    assert.match(later.stdout, /Today’s work has used 2 requests\./);
    assert.equal((await stage.run("resume", taskId)).code, 0);
    for (const wrong of ["5", "requests=0", "requests=-1", "money=5"]) {
      assert.equal((await stage.run("status", "--limit-day", wrong)).code, 64, wrong);
    }
  });
});

describe("approvals at a terminal", () => {
  const edit: ProposedAction = {
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
    const ask = async (
      action: ProposedAction,
      more: Partial<ApprovalRequest> = {},
      signal = new AbortController().signal,
    ) => {
      const ids = { approvalId: "a", taskId: "t", callId: "c" };
      const what = { action, why: "It is asked about.", options: [words("Changes of any file")] };
      const decision = approver.request({ ...ids, ...what, ...more }, signal);
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
      ["t", { type: "allowed", scope: "task", option: 0 }],
      ["S", { type: "allowed", scope: "session", option: 0 }],
      ["a1", { type: "allowed", scope: "always", option: 0 }],
      ["n", { type: "denied" }],
      ["not in this file", { type: "denied", reason: "not in this file" }],
    ] as const) {
      const { ask, asked } = person(said);
      assert.deepEqual(await ask(edit), decision);
      assert.match(
        asked(),
        /\? Edit a\.js\n {4}--- a\/a\.js\n[^]*asked about\.\n[^]*Changes of any file\n[^]*Allow\? \[y\] yes, \[t\] for/,
      );
    }
  });

  it("are asked again when nothing was said, and offer no more than a task can be granted", async () => {
    const outside = { ...edit, path: "/etc/hosts", inside: false };
    const { ask, asked } = person("", "t", "y");
    const decision = await ask(outside, { options: [] });
    assert.deepEqual(decision, { type: "allowed", scope: "once" });
    const shown = asked();
    assert.equal(shown.match(/Allow\?/g)?.length, 3);
    assert.match(shown, /outside the workspace/);
    assert.doesNotMatch(shown, /\[t\]/);
  });

  it("allow the offer whose number is said, and no other", async () => {
    const offers = [words("Exactly this command: npm test"), words("Any npm test …")];
    const { ask, asked } = person("t3", "a2");
    const decision = await ask(edit, { options: offers });
    assert.deepEqual(decision, { type: "allowed", scope: "always", option: 1 });
    assert.match(asked(), /1\. Exactly this command: npm test\n +2\. Any npm test …\n/);
  });

  it("let a command be written anew, and nothing else", async () => {
    const command: ProposedAction = {
      access: "command",
      title: "Run npm test",
      path: "",
      inside: true,
      command: "npm test",
      preview: { kind: "command", text: "npm test" },
    };
    const editable = { kind: "command", text: "npm test" } as const;
    const decision = await person("e", "", "e", "npm test -- --grep one").ask(command, {
      editable,
    });
    assert.deepEqual(decision, { type: "edited", text: "npm test -- --grep one" });
    assert.deepEqual(await person("e").ask(edit), { type: "denied", reason: "e" });
  });

  it("are asked one after another", async () => {
    const { ask, asked, input } = person();
    const first = ask(edit);
    const second = ask({ ...edit, title: "Edit b.js" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.doesNotMatch(asked(), /Edit b\.js/);
    input.write("y\n");
    assert.deepEqual(await first, { type: "allowed", scope: "once" });
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(asked(), /Edit b\.js/);
    input.write("n\n");
    assert.deepEqual(await second, { type: "denied" });
  });

  it("are open when the input ends, and given up when the work is stopped", async () => {
    const left = person();
    const open = left.ask(edit);
    left.input.end();
    assert.deepEqual(await open, { type: "unavailable" });

    const stopped = new AbortController();
    const pending = person().ask(edit, {}, stopped.signal);
    stopped.abort(new Error("Stopped."));
    await assert.rejects(pending, /Stopped\./);
  });
});
