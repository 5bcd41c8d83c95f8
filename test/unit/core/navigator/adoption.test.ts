import assert from "node:assert/strict";
import { ConversationJournal } from "../../../../src/core/conversation/store/journal.js";
import { Adoption } from "../../../../src/core/navigator/recovery/adoption.js";
import { withoutSignature } from "../../../../src/core/provenance/signedJson.js";
import { spoken } from "../../../../src/core/text/words.js";
import { adds, does, JobStage, plans } from "../../../fakes/jobStage.js";
import type { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const at = "2026-01-02T03:04:05.000Z";
const one = "ROO#TASK_20260102030405_AAAAA1";
const two = "ROO#TASK_20260102030405_BBBBB2";
const conversation = ".rooroo/logs/conversation.jsonl";
const mode = "rooroo-developer";

const command = (line: string, id: string) => ({
  id,
  name: "execute_command",
  arguments: JSON.stringify({ command: line }),
});
const start = { type: "start", schema: 1, at, system: "You are an expert." };
const user = { type: "user", content: "Go" };
const says = (...toolCalls: readonly object[]) => ({ type: "assistant", content: "", toolCalls });
const report = {
  status: "Done",
  message: "All was done.",
  output_artifact_paths: [],
  clarification_question: null,
  error_details: null,
};

function lines(...values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function record(taskId: string): Record<string, string> {
  const fixed = { parentTaskId: null, planId: null, mode, goal: "Go", createdAt: at };
  return {
    [`.rooroo/tasks/${taskId}/task.json`]: `${JSON.stringify({ schema: 1, taskId, ...fixed })}\n`,
    [`.rooroo/tasks/${taskId}/context.md`]: "# Context\n",
  };
}

/** Returns a task whose transcript has these lines, as it comes with a folder. */
function begun(taskId: string, ...more: readonly object[]): Record<string, string> {
  const path = `.rooroo/tasks/${taskId}/transcript.jsonl`;
  return { ...record(taskId), [path]: lines(start, user, ...more) };
}

function stageOf(
  files: Record<string, string> | MemoryFileSystem,
  scripts: readonly ModelScript[] | ModelScript = () => completes(),
): NavigatorStage {
  const output = { output: "done\n" };
  const commands = { "npm test": output, "npm run lint": output, ls: output };
  return new NavigatorStage(scripts, { files, commands });
}

function texts(files: MemoryFileSystem): Record<string, string | undefined> {
  return Object.fromEntries(files.paths.map((path) => [path, files.text(path)]));
}

async function statesOf(stage: NavigatorStage): Promise<Record<string, string>> {
  const { tasks } = await stage.navigator.overview();
  return Object.fromEntries(tasks.map(({ taskId, state }) => [taskId, state]));
}

describe("adopting what came with a folder", () => {
  const said = [
    { at, type: "user", id: "u-1", text: "Hello" },
    { at, type: "user", id: "u-2", text: "Go" },
  ];
  const everything: Record<string, string> = {
    ...begun(one, says(command("npm test", "c1"))),
    ...record(two),
    [`.rooroo/tasks/${two}/report.json`]: JSON.stringify(report),
    [conversation]: lines(...said),
  };

  it("takes over all tasks and the conversation, and says how many", async () => {
    const stage = stageOf(everything);
    assert.deepEqual(await statesOf(stage), { [one]: "foreign", [two]: "foreign" });
    assert.equal((await stage.navigator.say("/adopt")).status, "done");
    assert.match(stage.notices[0] ?? "", /^Adopted 2 tasks and 2 messages of the conversation\./);
    assert.deepEqual(await statesOf(stage), { [one]: "interrupted", [two]: "done" });
    assert.deepEqual(stage.shell.requests, []);

    const journal = new ConversationJournal(stage.files, new PlainSigner(), () => undefined);
    const { events, foreign } = await journal.load();
    assert.deepEqual([events, foreign], [said, 0]);
  });

  it("takes over one task, and leaves the others and the conversation as they are", async () => {
    const stage = stageOf(everything);
    await stage.navigator.say(`/adopt ${two}`);
    assert.equal(stage.notices[0], "Adopted 1 task. Resume what you want to continue.");
    assert.deepEqual(await statesOf(stage), { [one]: "foreign", [two]: "done" });
    assert.equal(stage.files.text(conversation), everything[conversation]);
  });

  it("says so where there is nothing to adopt, or no such task", async () => {
    const stage = stageOf({});
    await stage.navigator.say("/adopt");
    await stage.navigator.say(`/adopt ${one}`);
    assert.deepEqual(stage.notices, [
      "There is nothing here to adopt.",
      `There is no task ${one} here.`,
    ]);
  });

  it("changes nothing the second time", async () => {
    const stage = stageOf(everything);
    await stage.navigator.adopt(null);
    const before = texts(stage.files);
    await stage.navigator.adopt(null);
    assert.deepEqual(texts(stage.files), before);
    assert.equal(stage.notices[1], "There is nothing here to adopt.");
  });

  it("leaves out a task at which another process works", async () => {
    const stage = stageOf(everything);
    stage.lock.occupy(`task-${one.replace("#", "-")}`);
    await stage.navigator.adopt(null);
    assert.match(stage.notices[0] ?? "", /^Adopted 1 task and/);
    const path = `.rooroo/tasks/${one}/transcript.jsonl`;
    assert.equal(stage.files.text(path), everything[path]);
  });

  it("changes no word of what it takes over, but for the signatures", async () => {
    const torn = '{"type":"assistant","content":"to';
    const files = {
      ...record(one),
      [`.rooroo/tasks/${one}/transcript.jsonl`]: `${lines(start, { ...user, mood: "good" })}${torn}\n[1]\n`,
      [`.rooroo/tasks/${one}/report.json`]: JSON.stringify({ ...report, mood: "good" }, null, 2),
      [`.rooroo/tasks/${one}/question.json`]: "{ torn",
      [conversation]: `${lines(said[0] ?? {})}\n${torn}\n${lines({ mood: "good" })}`,
    };
    const stage = stageOf(files);
    await stage.navigator.adopt(null);
    for (const [path, before] of Object.entries(files)) {
      const now = (stage.files.text(path) ?? "").split("\n").map(withoutSignature);
      const whole = withoutSignature(stage.files.text(path) ?? "");
      const kept = path.endsWith(".jsonl") ? now.join("\n") : whole;
      const adopted = new RegExp(String.raw`\{"type":"adopted","at":"[\w:.-]+"\}\n`);
      assert.equal(kept.replace(adopted, ""), before, path);
    }
  });

  it("takes over the changes of a job's file, so that they are made", async () => {
    const job = ".jixo/trip.job.md";
    const stage = new JobStage([plans([adds("1. Go")], { clarification: { question: "Sea?" } })], {
      [job]: "Plan a trip.\n",
    });
    const replace = stage.files.replaceFile.bind(stage.files);
    stage.files.replaceFile = (path, content, options) =>
      path === job ? Promise.reject(new Error("killed")) : replace(path, content, options);
    await assert.rejects(stage.run(), /killed/);
    stage.files.replaceFile = replace;
    const [change] = await stage.files.readDirectory(".rooroo/jobs/trip/changes");
    const path = `.rooroo/jobs/trip/changes/${change?.name ?? ""}`;
    stage.files.put(path, withoutSignature(stage.files.text(path) ?? ""));

    stage.model.requests.length = 0;
    const foreign = new JobStage(() => does(), {});
    for (const one of stage.files.paths) foreign.files.put(one, stage.files.text(one) ?? "");
    await foreign.run({ most: 1 });
    assert.equal(foreign.job, "Plan a trip.\n");

    const { files, lock, clock } = foreign;
    const adoption = new Adoption({ files, lock, clock, signer: new PlainSigner() });
    await adoption.adopt(undefined);
    await foreign.run({ most: 1 });
    assert.match(foreign.job, /Sea\?/);
  });
});

describe("an adopted task", () => {
  const waiting = says(
    command("npm test", "c1"),
    command("npm run lint", "c2"),
    { id: "c3", name: "read_file", arguments: '{"path":"a.txt"}' },
    { id: "c4", name: "write_to_file", arguments: '{"path":"b.txt","content":"b"}' },
  );

  it("has each call that waits asked about, whatever is allowed, and what is denied does not run", async () => {
    const stage = stageOf({ ...begun(one, waiting), "a.txt": "a\n" });
    stage.preset = "all";
    stage.categories = { command: "all", read: "all", write: "all" };
    stage.approve = ({ action }) =>
      spoken(action.title).includes("lint") || spoken(action.title).includes("b.txt")
        ? { type: "denied" }
        : { type: "allowed", scope: "once" };
    await stage.navigator.adopt(one);
    assert.equal((await stage.navigator.resume(one)).status, "done");
    assert.deepEqual(
      stage.approvals.map(({ action, why }) => [spoken(action.title), spoken(why)]),
      ["Run npm test", "Run npm run lint", "Read a.txt", "Create b.txt"].map((title) => [
        title,
        "It was waiting in a task that you adopted.",
      ]),
    );
    assert.deepEqual(
      stage.shell.requests.map((request) => request.command),
      ["npm test"],
    );
    assert.equal(stage.files.text("b.txt"), undefined);
  });

  it("has a call asked about that a grant covers", async () => {
    const own = stageOf({}, [calls("execute_command", { command: "npm test" }), completes()]);
    own.preset = "safe";
    own.approve = () => ({ type: "allowed", scope: "session" });
    await own.navigator.say("/do it");
    for (const [path, text] of Object.entries(begun(one, says(command("npm test", "c1"))))) {
      own.files.put(path, text);
    }
    own.approve = () => ({ type: "denied" });
    await own.navigator.adopt(one);
    own.approvals.length = 0;
    await own.navigator.resume(one);
    assert.equal(own.approvals.length, 1);
    assert.equal(own.shell.requests.length, 1);
  });

  it("waits where nobody can be asked", async () => {
    const stage = stageOf(begun(one, says(command("npm test", "c1"))));
    stage.preset = "all";
    await stage.navigator.adopt(one);
    assert.equal((await stage.navigator.resume(one)).status, "waiting");
    assert.deepEqual(stage.shell.requests, []);
    assert.equal((await statesOf(stage))[one], "needsYou");
  });

  it("is not asked about what its model wants from then on", async () => {
    const stage = stageOf(begun(one, says(command("npm test", "c1"))), [
      calls("execute_command", { command: "npm run lint" }),
      completes(),
    ]);
    stage.preset = "all";
    stage.approve = () => ({ type: "denied" });
    await stage.navigator.adopt(one);
    assert.equal((await stage.navigator.resume(one)).status, "done");
    assert.equal(stage.approvals.length, 1);
    assert.deepEqual(
      stage.shell.requests.map((request) => request.command),
      ["npm run lint"],
    );
  });

  it("has no call repeated that had begun", async () => {
    const interrupted = { type: "callStarted", callId: "c1" };
    const stage = stageOf(begun(one, says(command("npm test", "c1")), interrupted));
    stage.preset = "all";
    stage.approve = () => ({ type: "allowed", scope: "once" });
    await stage.navigator.adopt(one);
    assert.equal((await stage.navigator.resume(one)).status, "done");
    assert.deepEqual([stage.shell.requests, stage.approvals], [[], []]);
    const told = stage.model.requests[0]?.messages.at(-1)?.content;
    assert.match(told ?? "", /It was not repeated/);
  });

  it("ends with the report that it had submitted", async () => {
    const submitted = { ...report, message: "Submitted elsewhere" };
    const completion = {
      id: "c1",
      name: "attempt_completion",
      arguments: JSON.stringify(submitted),
    };
    const stage = stageOf(begun(one, says(completion)), []);
    await stage.navigator.adopt(one);
    assert.equal((await stage.navigator.resume(one)).status, "done");
    assert.deepEqual(stage.ends, ["Done: Submitted elsewhere"]);
  });
});
