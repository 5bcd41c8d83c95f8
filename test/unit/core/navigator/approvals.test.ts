import assert from "node:assert/strict";
import type { AgentEvent } from "../../../../src/core/agent/events.js";
import type { ApprovalDecision, ApprovalRequest } from "../../../../src/core/approvals/approver.js";
import { spoken } from "../../../../src/core/text/words.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript, ScriptedResponse } from "../../../fakes/scriptedModel.js";

const run = (command: string) => calls("execute_command", { command });
const write = (content: string) => calls("write_to_file", { path: "a.txt", content });

/** Returns a stage on which a developer makes these calls, each decided as told. */
function stageOf(
  steps: readonly ScriptedResponse[],
  decisions: readonly (ApprovalDecision | ((request: ApprovalRequest) => ApprovalDecision))[] = [],
  files: Record<string, string> = {},
): NavigatorStage {
  const scripts: ModelScript[] = [...steps, completes()];
  const echo = { "npm test": { output: "pass\n" }, "echo mine": { output: "mine\n" } };
  const stage = new NavigatorStage(scripts, { files, commands: echo });
  stage.preset = "safe";
  let asked = 0;
  stage.approve = (request) => {
    const decision = decisions[asked++] ?? { type: "denied", reason: "not expected" };
    return typeof decision === "function" ? decision(request) : decision;
  };
  return stage;
}

/** Returns the results that the model was given, in order. */
function results(stage: NavigatorStage): string[] {
  const { messages } = stage.model.requests.at(-1)!;
  return messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
}

function agentEvents<T extends AgentEvent["type"]>(
  stage: NavigatorStage,
  type: T,
): Extract<AgentEvent, { type: T }>[] {
  return stage.events.flatMap((event) =>
    event.type === "agent" && event.event.type === type
      ? [event.event as Extract<AgentEvent, { type: T }>]
      : [],
  );
}

const once = { type: "allowed", scope: "once" } as const;

describe("approvals of a task", () => {
  it("run the command that the person made of it, and tell the model so", async () => {
    const stage = stageOf([run("rm -rf .")], [{ type: "edited", text: "echo mine" }]);
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.deepEqual(
      stage.shell.requests.map(({ command }) => command),
      ["echo mine"],
    );
    assert.match(
      results(stage)[0]!,
      /^The user changed the command\. What ran instead:\necho mine\n\nExit code 0/,
    );
    assert.equal(stage.approvals.length, 1);
    const [edited] = agentEvents(stage, "callEdited");
    assert.equal(edited?.action.preview.text, "echo mine");
  });

  it("ask about an edited command that holds what cannot be seen, or cannot run", async () => {
    const stage = stageOf(
      [run("npm test")],
      [
        { type: "edited", text: "echo\u202e mine" },
        { type: "edited", text: "a\0b" },
        { type: "edited", text: "echo mine" },
      ],
    );
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.deepEqual(
      stage.approvals.map(({ action, why }) => [action.preview.text, spoken(why)]),
      [
        ["npm test", "npm may change things."],
        ["echo⟨U+202E⟩ mine", "The line has characters that cannot be seen."],
        ["echo⟨U+202E⟩ mine", "A command cannot contain the character NUL. Write it without."],
      ],
    );
    assert.deepEqual(
      stage.shell.requests.map(({ command }) => command),
      ["echo mine"],
    );
  });

  it("write the text that the person made of it, and show the model their change", async () => {
    const stage = stageOf(
      [write("one\ntwo\n")],
      [
        ({ editable }) => {
          assert.equal(editable?.text, "one\ntwo\n");
          return { type: "edited", text: "one\n2\n" };
        },
      ],
    );
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.equal(stage.files.text("a.txt"), "one\n2\n");
    assert.match(results(stage)[0]!, /The user changed your text[^]*-two\n\+2\n[^]*Created a\.txt/);
    const [ended] = agentEvents(stage, "toolEnded");
    assert.match(ended?.diff ?? "", /\+one\n\+2\n/);
  });

  it("do nothing that has become another thing while it waited", async () => {
    const stage = stageOf(
      [calls("edit_file", { path: "a.txt", old_text: "one", new_text: "two" })],
      [
        () => {
          stage.files.put("a.txt", "before\none\n");
          return once;
        },
      ],
      { "a.txt": "one\n" },
    );
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.equal(stage.files.text("a.txt"), "before\none\n");
    assert.match(results(stage)[0]!, /was not done: .*changed by somebody else while it waited/);
  });

  it("do nothing to a file that was hidden while they waited", async () => {
    const stage = stageOf(
      [calls("edit_file", { path: "a.txt", old_text: "one", new_text: "two" })],
      [
        () => {
          stage.files.put(".rooignore", "a.txt\n");
          return once;
        },
      ],
      { "a.txt": "one\n" },
    );
    assert.equal((await stage.navigator.say("/do it")).status, "done");
    assert.equal(stage.files.text("a.txt"), "one\n");
    assert.match(results(stage)[0]!, /hidden by \.rooignore/);
  });

  it("tell the model of a denial, in the person's words", async () => {
    const stage = stageOf([run("npm test")], [{ type: "denied", reason: "use make" }]);
    await stage.navigator.say("/do it");
    assert.deepEqual(stage.shell.requests, []);
    assert.equal(results(stage)[0], "The user did not allow this. They say: use make");
  });

  it("ask nobody about what the settings never allow", async () => {
    const stage = stageOf([run("npm test")]);
    stage.preset = "all";
    stage.categories = { command: "deny" };
    await stage.navigator.say("/do it");
    assert.equal(stage.approvals.length, 0);
    assert.match(results(stage)[0]!, /settings do not let you do this: Commands are never allowed/);
  });

  it("hold for the rest of the task, a resumption included, and for no other task", async () => {
    const task = { type: "allowed", scope: "task" } as const;
    const ask = calls("ask_followup_question", { question: "Go on?" });
    const stage = stageOf(
      [run("npm test"), ask, run("npm test"), completes(), run("npm test")],
      [task, once],
    );
    await stage.navigator.say("/do it");
    await stage.navigator.answer(stage.started[0]!, "yes");
    assert.equal(stage.approvals.length, 1);
    await stage.navigator.say("/do that");
    assert.equal(stage.approvals.length, 2);
    assert.equal(stage.shell.requests.length, 3);
  });

  it("hold for all tasks of the session, but never for protected files", async () => {
    const put = (path: string) => calls("write_to_file", { path, content: "x\n" });
    const stage = stageOf(
      [put("a.txt"), completes(), put("b.txt"), put(".npmrc"), put("/etc/hosts")],
      [{ type: "allowed", scope: "session" }, once, { type: "denied" }],
    );
    await stage.navigator.say("/do it");
    await stage.navigator.say("/do that");
    assert.deepEqual(
      stage.approvals.map(({ action, options: offers }) => [spoken(action.title), offers.length]),
      [
        ["Create a.txt", 1],
        ["Create .npmrc", 0],
        ["Create /etc/hosts", 0],
      ],
    );
    assert.equal((await stage.navigator.permissions.list()).length, 1);
  });

  it("say of each call why it was asked about, or was not", async () => {
    const read = calls("read_file", { path: "a.txt" });
    const stage = stageOf(
      [read, run("npm test"), run("npm test")],
      [{ type: "allowed", scope: "session" }],
      { "a.txt": "" },
    );
    await stage.navigator.say("/do it");
    assert.deepEqual(
      agentEvents(stage, "callAllowed").map(({ why, decidedBy }) => [why, decidedBy]),
      [
        ["Reading the workspace is safe.", "rooroo.approvals.preset"],
        ["You allowed this for this session.", "grants"],
      ],
    );
    const [asked] = agentEvents(stage, "approvalRequested");
    assert.equal(asked?.decidedBy, "rooroo.approvals.preset");
    assert.deepEqual(asked.options, ["Exactly this command: npm test", "Any npm test …"]);
    const [resolved] = agentEvents(stage, "approvalResolved");
    assert.equal(resolved?.granted, "for this session: Exactly this command: npm test");
  });

  it("show the same action again when a parked task is resumed", async () => {
    const stage = stageOf([run("npm test")], [{ type: "unavailable" }, once]);
    assert.equal((await stage.navigator.say("/do it")).status, "waiting");
    const [taskId = ""] = stage.started;
    assert.equal(stage.json(`.rooroo/tasks/${taskId}/approval.json`)["title"], "Run npm test");
    assert.equal((await stage.navigator.resume(taskId)).status, "done");
    assert.deepEqual(stage.approvals[1]!.action, stage.approvals[0]!.action);
    assert.equal(stage.shell.requests.length, 1);
  });
});
