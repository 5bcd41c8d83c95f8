import assert from "node:assert/strict";
import { asksInEnvelope, commands, says } from "../fakes/envelopes.js";
import { asks, completes } from "../fakes/navigatorWorld.js";
import { inEnvelopes, refusesTools } from "./inEnvelopes.js";
import { mends, sample } from "./mends.js";
import { notes, plans, plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo in envelopes", () => {
  afterEach(closeStages);

  it("makes a failing test pass with the same change as through native calls", async () => {
    const native = await Stage.open(mends, sample);
    assert.equal((await native.runAll("ask", "Make the test pass")).code, 0);
    const stage = await Stage.open(inEnvelopes(mends), sample);
    const { code, stdout, stderr } = await stage.runAll(
      "ask",
      "Make the test pass",
      "--dialect",
      "envelope",
    );
    assert.equal(code, 0, stdout + stderr);
    for (const path of Object.keys(sample)) {
      assert.equal(await stage.read(path), await native.read(path), path);
    }
    assert.match(stdout, /▸ 1\. Do it/);
    assert.match(stdout, /✗ Run node --test \(/);
    assert.match(stdout, /✓ Replace in src\/add\.js: a - b \+1 −1 \(/);
    assert.match(stdout, /☑ 1\. Do it\n[^]*✓ Done {2}ROO#TASK_\w+\n {2}The sum is right now\./);
    const { requests } = stage.model;
    assert.ok(requests.every(({ tools }) => tools.length === 0));
    assert.ok(requests.every(({ responseFormat }) => responseFormat?.type === "json_schema"));
  });

  it("plans three tasks and runs them, each with its artifact, on a server without tools", async () => {
    const script = plays(
      { route: "plan", goal: "Build it" },
      { "rooroo-planner": plans("One", "Two", "Three"), "rooroo-developer": notes },
    );
    const stage = await Stage.open(refusesTools(inEnvelopes(script)));
    const { code, stdout, stderr } = await stage.run("ask", "Build it");
    assert.equal(code, 0, stdout + stderr);
    assert.equal(stdout.split("has no tool calling").length, 2, "it is said once");
    const ids = (await stage.list(".rooroo/tasks")).filter((id) => id.startsWith("ROO#SUB_"));
    const made = await Promise.all(ids.map((id) => stage.read(`.rooroo/tasks/${id}/notes.md`)));
    assert.deepEqual(made, ["One\n", "Two\n", "Three\n"]);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    const { requests } = stage.model;
    assert.equal(requests.filter(({ tools }) => tools.length > 0).length, 1);
    assert.equal(requests.filter(({ responseFormat }) => responseFormat).length, 1);
    assert.equal((await stage.run("proceed")).stdout, "The queue is empty.\n");
  });

  it("asks, and goes on with the answer in another process", async () => {
    const script = plays(
      { route: "direct", expert: "rooroo-developer", goal: "Write it" },
      {
        "rooroo-developer": (request) =>
          request.results.length === 0
            ? asks("Which format?", ["CSV", "JSON"])
            : completes({ message: `Wrote ${request.results[0]?.content ?? ""}.` }),
      },
    );
    const stage = await Stage.open(refusesTools(inEnvelopes(script)));
    const asked = await stage.run("ask", "Write it");
    assert.equal(asked.code, 2, asked.stdout + asked.stderr);
    assert.match(asked.stdout, / {2}Which format\?\n {4}1\. CSV\n {4}2\. JSON\n/);
    const [, taskId = ""] = /→ rooroo answer (\S+) "…"/.exec(asked.stdout) ?? [];
    const answered = await stage.run("answer", taskId, "2");
    assert.equal(answered.code, 0, answered.stdout + answered.stderr);
    assert.match(answered.stdout, /Wrote JSON\./);
  });

  it("talks with a plain agent, which asks for what it does", async () => {
    const write = { unescape_string: { path: "a.txt", text: '"hello\\n"' } };
    const replies = [commands(write), says("It is **written**."), says("You are welcome.")];
    const stage = await Stage.open((_request, index) => replies[index] ?? says("?"));
    const done = await stage.runAll("agent", "Write", "hello");
    assert.equal(done.code, 0, done.stdout + done.stderr);
    assert.match(done.stdout, /I go on\.[^]*✓ Write a\.txt \+1 −0 \([^]*It is \*\*written\*\*\./);
    assert.equal(await stage.read("a.txt"), "hello\n");
    const [, session = ""] =
      /→ rooroo agent --session '?(ROO#AGENT_\w+)'? "…"/.exec(done.stdout) ?? [];
    const thanks = await stage.run("agent", "--session", session, "Thanks!");
    assert.equal(thanks.code, 0, thanks.stderr);
    const sent = stage.model.requests.at(-1)?.messages ?? [];
    assert.equal(sent.at(-1)?.content, "Thanks!");
    assert.match(JSON.stringify(sent), /It is \*\*written\*\*/);
    assert.deepEqual(await stage.tasks(), [], "it is no task");
    assert.equal((await stage.run("agent", "--session", "ROO#AGENT_1_NO", "x")).code, 1);
  });

  it("lets a plain agent ask, and wait for an approval", async () => {
    const write = { edit: { path: "a.txt", edits: [{ start: 0, end: 0, newText: "x" }] } };
    const replies = [asksInEnvelope("Where?", ["here"]), commands(write), says("Done.")];
    const stage = await Stage.open((_request, index) => replies[index] ?? says("?"));
    const asked = await stage.run("agent", "Write", "--json");
    assert.equal(asked.code, 2);
    const outcome = JSON.parse(asked.stdout.trim().split("\n").at(-1) ?? "") as { next: string[] };
    const [, session = ""] = /--session '?(\S+?)'? /.exec(outcome.next[0] ?? "") ?? [];
    const waits = await stage.run("agent", "--session", session, "here");
    assert.equal(waits.code, 2, waits.stdout);
    assert.match(waits.stderr, /Awaiting approval: Create a\.txt/);
    const allowed = await stage.runAll("agent", "--session", session, "Go on.");
    assert.equal(allowed.code, 0, allowed.stdout + allowed.stderr);
    assert.equal(await stage.read("a.txt"), "x");
  });

  it("tells a plain agent what is said while its call waits for an approval, and does not do the call", async () => {
    const write = { edit: { path: "a.txt", edits: [{ start: 0, end: 0, newText: "x" }] } };
    const replies = [commands(write), says("I stopped.")];
    const stage = await Stage.open((_request, index) => replies[index] ?? says("?"));
    const waits = await stage.run("agent", "Write");
    assert.equal(waits.code, 2, waits.stdout + waits.stderr);
    const [, session = ""] = /--session '?(\S+?)'? /.exec(waits.stdout) ?? [];
    const told = await stage.run("agent", "--session", session, "STOP,", "no files");
    assert.equal(told.code, 0, told.stdout + told.stderr);
    assert.match(told.stdout, /I stopped\./);
    const last = stage.model.requests.at(-1)?.messages.at(-1);
    assert.match(JSON.stringify(last), /was not done. The user said instead: STOP, no files/);
    assert.equal((await stage.list("")).includes("a.txt"), false);
  });

  it("says what calls cost where the price is known", async () => {
    const usage = { inputTokens: 10_000, outputTokens: 1_000, cachedTokens: 5_000 };
    const stage = await Stage.open(
      plays(
        { route: "direct", expert: "rooroo-developer", goal: "It" },
        { "rooroo-developer": () => ({ ...completes(), usage }) },
      ),
    );
    const paid = await stage.run("ask", "/do It", "--model", "gpt-4.1");
    assert.match(paid.stdout, /10,000 tokens in \(5,000 cached\), 1,000 out, \$0\.0205\n/);
    const free = await stage.run("ask", "/do It");
    assert.doesNotMatch(free.stdout, /\$/);
    const { tasks, today } = (await stage.json("status")) as {
      tasks: { effort: { costUsd?: number } }[];
      today: { costUsd?: number };
    };
    const costs = tasks.map(({ effort }) => effort.costUsd ?? "unknown");
    assert.deepEqual(costs.sort(), [0.0205, "unknown"]);
    assert.equal(today.costUsd, undefined, "one of the day's calls is of unknown price");
  });
});
