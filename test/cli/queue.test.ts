import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { completes } from "../fakes/navigatorWorld.js";
import { isTriage, notes, plans, plays, queueLine } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const plan = (...goals: string[]) =>
  plays(
    { route: "plan", goal: "Build it" },
    { "rooroo-planner": plans(...goals), "rooroo-developer": notes },
  );

describe("rooroo and the queue", () => {
  afterEach(closeStages);

  it("[R-ROO-10] plans three tasks and runs them in order, each with its artifact in its folder", async () => {
    const stage = await Stage.open(plan("One", "Two", "Three"));
    const { code, stdout, stderr } = await stage.run("ask", "Build it");
    assert.equal(code, 0, stdout + stderr);
    const ids = (await stage.list(".rooroo/tasks")).filter((id) => id.startsWith("ROO#SUB_"));
    assert.equal(ids.length, 3);
    for (const [index, goal] of ["One", "Two", "Three"].entries()) {
      const id = ids[index] ?? "";
      assert.equal(await stage.read(`.rooroo/tasks/${id}/notes.md`), `${goal}\n`);
      assert.match(
        stdout,
        new RegExp(`✓ Done {2}${id}\\n {2}${goal}: noted\\.\\n {2}\\S+/notes\\.md`),
      );
    }
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    assert.deepEqual(
      (await stage.activity("EXPERT_REPORT_RECEIVED")).map(({ details }) => details["status"]),
      ["Done", "Done", "Done", "Done"],
    );
  });

  it("[R-ROO-31] has a plan wait until it is told to proceed, where that is asked for", async () => {
    const stage = await Stage.open(plan("One", "Two"));
    const { code, stdout } = await stage.run("ask", "--plans", "wait", "Build it");
    assert.equal(code, 0);
    assert.match(stdout, /The plan waits[^]*rooroo proceed/);
    assert.doesNotMatch(stdout, /noted/);
    const proceeded = await stage.run("proceed");
    assert.match(proceeded.stdout, /One: noted[^]*Two: noted/);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
  });

  it("costs one triage, the planner's turns and the experts' turns for a plan of five, nothing else", async () => {
    const stage = await Stage.open(plan("A", "B", "C", "D", "E"));
    assert.equal((await stage.run("ask", "Build it")).code, 0);
    const { requests } = stage.model;
    assert.equal(requests.filter(isTriage).length, 1);
    assert.equal(requests.length, 1 + 2 + 5 * 2);
  });

  it("[R-ROO-14] puts a task into the queue and works through it", async () => {
    const stage = await Stage.open(
      plays(
        { route: "queue", expert: "rooroo-developer", goal: "Later" },
        { "rooroo-developer": notes },
      ),
      { ".rooroo/queue.jsonl": queueLine("OLD") },
    );
    const { code, stdout } = await stage.run("ask", "later: something");
    assert.equal(code, 0);
    assert.match(
      stdout,
      /Added to the queue, for the Developer[^]*Later: noted\.[^]*Goal OLD: noted\./,
    );
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
  });

  it("adds, moves and removes by hand, at no cost", async () => {
    const stage = await Stage.open(plays({}, { "rooroo-developer": notes }));
    const add = async (goal: string) =>
      (await stage.run("queue", "add", goal)).stdout.split(" ")[0]!;
    const [a, b, c] = [await add("Goal A"), await add("Goal B"), await add("Goal C")];
    assert.equal((await stage.run("queue", "move", c.slice(-6), "--first")).code, 0);
    assert.equal((await stage.run("queue", "move", a, "--last")).code, 0);
    assert.equal((await stage.run("queue", "remove", b)).code, 0);
    assert.equal(stage.model.requests.length, 0);
    const { stdout } = await stage.run("queue", "list", "--json");
    const { tasks } = JSON.parse(stdout) as { tasks: { taskId: string }[] };
    assert.deepEqual(
      tasks.map(({ taskId }) => taskId),
      [c, a],
    );
    assert.equal((await stage.run("proceed", "--concurrency", "2")).code, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
  });

  it("is shown by `status` up to a screen's length, with the way to all of it; --json has all", async () => {
    const ids = Array.from({ length: 120 }, (_, n) => `T${n + 100}`);
    const text = ids.map((id) => queueLine(id)).join("") + "nothing\n".repeat(120);
    const stage = await Stage.open(plays({}, {}), { ".rooroo/queue.jsonl": text });
    const { stdout } = await stage.run("status");
    assert.match(
      stdout,
      /Queued \(120\)[^]*Goal T119\n[^]*and 100 more: rooroo status --verbose\n/,
    );
    assert.match(stdout, /line 140: [^]*and 100 more: rooroo status --verbose\n$/);
    assert.doesNotMatch(stdout, /T120|line 141:/);
    const all = await stage.run("status", "--verbose");
    assert.match(all.stdout, /Goal T219\n[^]*line 240: /);
    assert.doesNotMatch(all.stdout, /more:/);
    const { tasks, problems } = JSON.parse((await stage.run("status", "--json")).stdout) as {
      tasks: readonly unknown[];
      problems: readonly unknown[];
    };
    assert.deepEqual([tasks.length, problems.length], [120, 120]);
  });

  it("says what is wrong with a change of the queue, and changes nothing", async () => {
    const stage = await Stage.open(plays({}, {}), { ".rooroo/queue.jsonl": queueLine("A") });
    for (const words of [
      ["queue", "remove", "NOBODY"],
      ["queue", "move", "ROO#TASK_A"],
      ["queue", "move", "ROO#TASK_A", "--first", "--last"],
      ["proceed", "--concurrency", "none"],
    ]) {
      const { code, stderr } = await stage.run(...words);
      assert.equal(code, 64, words.join(" "));
      assert.match(stderr, /^rooroo: \S/);
    }
    const stranger = await stage.run("queue", "add", "x", "--expert", "nobody");
    assert.equal(stranger.code, 1);
    assert.match(stranger.stderr, /no expert nobody/);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), queueLine("A"));
  });

  it("[R-ROO-7] says that the queue is empty, at no cost", async () => {
    const stage = await Stage.open(plays({}, {}));
    const { code, stdout } = await stage.run("proceed");
    assert.deepEqual([code, stdout], [0, "The queue is empty.\n"]);
    assert.equal(stage.model.requests.length, 0);
  });

  it("[R-ROO-31] runs one task when asked for one, and halts at a failure", async () => {
    const stage = await Stage.open(
      plays(
        {},
        {
          "rooroo-developer": ({ goal }) =>
            goal === "Goal B" ? completes({ status: "Failed", message: "No." }) : completes(),
        },
      ),
      { ".rooroo/queue.jsonl": queueLine("A") + queueLine("B") + queueLine("C") },
    );
    assert.equal((await stage.run("proceed", "--one")).code, 0);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), queueLine("B") + queueLine("C"));
    const { code, stderr } = await stage.run("proceed");
    assert.equal(code, 1);
    assert.match(
      stderr,
      /halts at `Failed`. 1 task is still queued\.\n {2}→ rooroo resume .*\n {2}→ rooroo ask .*\/plan .*\n {2}→ rooroo proceed\n/,
    );
    assert.equal(await stage.read(".rooroo/queue.jsonl"), queueLine("C"));
  });

  it("[R-ROO-25] keeps torn and foreign lines to the byte, and says so", async () => {
    const first = '\uFEFF{"broken": \r\n';
    const foreign = `${queueLine("X", { suggested_mode: "nobody" })}  \n`;
    const torn = '{"taskId":"ROO#TASK_T","goal_for';
    const stage = await Stage.open(plays({}, { "rooroo-developer": notes }), {
      ".rooroo/queue.jsonl": first + queueLine("A", { note: 1 }) + foreign + queueLine("B") + torn,
    });
    const { code, stderr } = await stage.run("proceed");
    assert.equal(code, 0, stderr);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), first + foreign + torn);
    assert.match(stderr, /line 1, is passed over[^]*line 3, [^]*which no expert has[^]*line 6, /);

    const list = await stage.run("queue", "list");
    assert.match(list.stdout, /! {2}line 1 is ignored/);
    const json = await stage.json("queue", "list");
    assert.deepEqual(json["tasks"], []);
    assert.equal((json["problems"] as unknown[]).length, 3);
  });

  it("tells the second process who works on the queue, and runs no task twice", async () => {
    const gate = new EventEmitter();
    const held = once(gate, "open");
    const stage = await Stage.open(
      plays(
        {},
        {
          "rooroo-developer": async (request) => {
            await held;
            return notes(request);
          },
        },
      ),
      { ".rooroo/queue.jsonl": queueLine("A") + queueLine("B") },
    );
    const first = stage.start("proceed", "--json");
    await first.prints(/sessionStarted/);
    const second = await stage.run("proceed");
    assert.equal(second.code, 2);
    assert.match(
      second.stderr,
      new RegExp(`worked on by rooroo proceed \\(process ${first.pid} on `),
    );
    const resumed = await stage.run("resume", "ROO#TASK_A");
    assert.equal(resumed.code, 2);
    assert.match(
      resumed.stderr,
      new RegExp(`already runs in rooroo proceed \\(process ${first.pid}\\)`),
    );
    const status = await stage.run("status");
    assert.match(
      status.stdout,
      /rooroo proceed is running the queue[^]*Running \(1\)[^]*Queued \(1\)/,
    );
    gate.emit("open");
    assert.equal((await first.ended).code, 0);
    assert.equal(stage.model.requests.length, 4);
    assert.equal((await stage.activity("EXPERT_REPORT_RECEIVED")).length, 2);
    assert.deepEqual((await stage.list(".rooroo/locks")).sort(), [".gitignore"]);
  });

  it("is worked through by exactly one of several processes that begin at once", async () => {
    const script = plays({ route: "acknowledge" }, { "rooroo-developer": notes });
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const stage = await Stage.open(
      async (request, index) => {
        // The first task lasts until the others have seen that somebody is at work.
        if (!isTriage(request)) await begun;
        return script(request, index);
      },
      { ".rooroo/queue.jsonl": ["A", "B", "C", "D"].map((id) => queueLine(id)).join("") },
    );
    let refused = 0;
    const proceed = async () => {
      const { code } = await stage.runProcess("proceed");
      if (code === 2 && ++refused === 2) begin();
      return code;
    };
    const [hello, ...codes] = await Promise.all([
      stage.runProcess("ask", "hello"),
      ...Array.from({ length: 3 }, proceed),
    ]);
    assert.equal(hello.code, 0);
    assert.deepEqual(codes.sort(), [0, 2, 2]);
    assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    assert.equal(stage.model.requests.length, 1 + 4 * 2);
  });
});
