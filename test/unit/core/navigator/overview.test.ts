import assert from "node:assert/strict";
import type { UserError } from "../../../../src/core/errors.js";
import { taskLock } from "../../../../src/core/navigator/tasks/taskIds.js";
import { translator } from "../../../../src/core/text/translator.js";
import { type Said, spoken } from "../../../../src/core/text/words.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { neverAnswers } from "../../../fakes/scriptedModel.js";

const usage = { inputTokens: 100, outputTokens: 10, cachedTokens: 50 };
const tasks = ["One", "Two"].map((goal) => ({
  suggested_mode: "rooroo-developer",
  goal_for_expert: goal,
}));
const plan = [
  triages({ route: "plan", goal: "Build it" }),
  { ...completes({ queue_tasks_json_lines: tasks }), usage },
];

describe("overview", () => {
  it("reads an ended task anew when it is in the queue again", async () => {
    const stage = new NavigatorStage([completes({ status: "Failed" })]);
    await stage.navigator.enqueue({ goal: "One", expert: "rooroo-developer" });
    const { queueText } = stage;
    const state = async () => (await stage.navigator.overview()).tasks[0]!.state;
    await stage.navigator.proceed();
    assert.equal(await state(), "failed");
    stage.files.put(".rooroo/queue.jsonl", queueText);
    assert.equal(await state(), "queued");
  });

  it("rolls a plan's state and effort up, its planner's included", async () => {
    const stage = new NavigatorStage([
      ...plan,
      { ...completes(), usage },
      { ...asks("Which?"), usage },
      { ...completes(), usage },
    ]);
    await stage.navigator.say("build it");
    const [before] = (await stage.navigator.overview()).plans;
    assert.deepEqual(
      [before!.goal, before!.state, before!.done, before!.tasks.length],
      ["Build it", "waiting", 1, 2],
    );
    assert.ok(stage.files.text(before!.path)!.includes("Build it"));
    assert.equal(before!.effort.calls, 2);

    await stage.navigator.answer(before!.tasks[1]!, "That");
    const [after] = (await stage.navigator.overview()).plans;
    assert.deepEqual([after!.state, after!.done], ["done", 2]);
    assert.deepEqual(
      [after!.effort.calls, after!.effort.inputTokens, after!.effort.cachedTokens],
      [4, 400, 200],
    );
  });

  it("tells how much a task has changed", async () => {
    const stage = new NavigatorStage(
      [
        triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" }),
        calls("read_file", { path: "a.txt" }),
        calls("write_to_file", { path: "a.txt", content: "one\ntwo\nthree\n" }),
        completes(),
      ],
      { files: { "a.txt": "one\n2\n" } },
    );
    await stage.navigator.say("fix it");
    const [task] = (await stage.navigator.overview()).tasks;
    assert.deepEqual(task?.changes, { files: 1, added: 2, removed: 1 });
  });

  it("names the process that runs a task outside of the queue", async () => {
    const thinks: { tell?: () => void } = {};
    const stage = new NavigatorStage([
      triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" }),
      neverAnswers(() => thinks.tell?.()),
    ]);
    const thinking = new Promise<void>((resolve) => (thinks.tell = resolve));
    void stage.navigator.say("fix it");
    await thinking;
    assert.equal((await stage.navigator.overview()).other, undefined);
    const window = new NavigatorStage([], { files: stage.files, lock: stage.lock });
    const overview = await window.navigator.overview();
    assert.deepEqual([overview.holder, overview.other?.label], [undefined, "test"]);
    await stage.navigator.stop();
    assert.equal((await window.navigator.overview()).other, undefined);
  });

  it("shows a halted plan, a broken mode file, and what each task took", async () => {
    const stage = new NavigatorStage([...plan, { ...completes({ status: "Failed" }), usage }], {
      files: { ".roomodes": "customModes:\n  - slug: a b\n" },
    });
    await stage.navigator.say("build it");
    const overview = await stage.navigator.overview();
    assert.equal(overview.plans[0]!.state, "halted");
    assert.equal(overview.modeProblems[0]!.line, 2);
    const failed = overview.tasks.find(({ state }) => state === "failed");
    assert.equal(failed!.effort!.outputTokens, 10);
  });
});

describe("the cost of an overview", () => {
  /** Returns how often files are read, looked at or listed for a queue of so many lines and as many tasks that have ended. */
  async function operations(lines: number, ended: number): Promise<number> {
    const goal = { expert: "rooroo-developer", goal: "One" };
    const stage = new NavigatorStage(() => completes());
    for (let n = 0; n < ended; n++) await stage.navigator.enqueue(goal);
    await stage.navigator.proceed();
    const queue = Array.from({ length: lines }, (_, n) =>
      JSON.stringify({
        taskId: `ROO#TASK_${n}`,
        suggested_mode: "rooroo-developer",
        goal_for_expert: "Go",
      }),
    );
    stage.files.put(".rooroo/queue.jsonl", queue.join("\n"));
    const fresh = new NavigatorStage([], { files: stage.files });
    await fresh.navigator.overview();
    let count = 0;
    stage.files.beforeOperation = () => count++;
    const again = new NavigatorStage([], { files: stage.files });
    assert.equal((await again.navigator.overview()).tasks.length, lines + ended);
    return count;
  }

  it("does not depend on how many queued tasks there are that have no folders", async () => {
    assert.equal(await operations(1_000, 0), await operations(10, 0));
  });

  it("is the same for each task that has ended: its folder's list, its record and its report", async () => {
    assert.equal((await operations(0, 12)) - (await operations(0, 4)), 8 * 3);
  });
});

describe("an approval that nobody could give", () => {
  it("is shown as what the task needs, also after a restart, until it is given", async () => {
    const stage = new NavigatorStage([
      triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" }),
      calls("write_to_file", { path: "a.txt", content: "x" }),
    ]);
    stage.preset = "safe";
    assert.equal((await stage.navigator.say("fix it")).status, "waiting");

    const next = new NavigatorStage([completes()], { files: stage.files });
    const [waiting] = (await next.navigator.overview()).tasks;
    assert.deepEqual(
      [waiting!.state, spoken(waiting!.message!)],
      ["needsYou", "Awaiting approval: Create a.txt"],
    );
    const { taskId } = waiting!;
    const german = translator("de", {
      "Awaiting approval: {title}": "Wartet auf Genehmigung: {title}",
      "Create {path}": "{path} erstellen",
    });
    assert.equal(spoken(waiting!.message!, german), "Wartet auf Genehmigung: a.txt erstellen");
    assert.match(next.files.text(`.rooroo/tasks/${taskId}/approval.json`)!, /"Create a\.txt"/);
    await next.navigator.recover(() => false);
    assert.match(next.notices[0]!, /is awaiting your approval: Create a\.txt/);
    await next.navigator.resume(waiting!.taskId);
    const [done] = (await next.navigator.overview()).tasks;
    assert.equal(done!.state, "done");
  });
});

describe("the queue by hand", () => {
  it("adds at the end without running, moves, and removes", async () => {
    const stage = new NavigatorStage([completes(), completes()]);
    const add = (goal: string) => stage.navigator.enqueue({ goal, expert: "rooroo-developer" });
    const [a, b, c] = [await add("a"), await add("b"), await add("c")];
    assert.equal(stage.model.requests.length, 0);
    await stage.navigator.queue.move(c, a);
    await stage.navigator.queue.remove(a);
    await stage.navigator.proceed();
    assert.deepEqual(stage.started, [c, b]);
    assert.ok(stage.activity().includes("TASK_ABORTED"));
    await assert.rejects(
      stage.navigator.enqueue({ goal: "x", expert: "nobody" }),
      ({ code, params }: UserError) =>
        code === "expertUnknownAmong" &&
        params["expert"] === "nobody" &&
        spoken(params["experts"] as Said).includes("rooroo-developer"),
    );
  });
});

describe("suspending", () => {
  /** Returns a process that was suspended while the model thought. */
  async function suspended(): Promise<NavigatorStage> {
    let tellStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (tellStarted = resolve));
    const stage = new NavigatorStage([
      triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" }),
      neverAnswers(() => {
        tellStarted();
      }),
    ]);
    void stage.navigator.say("fix it");
    await started;
    const told = stage.events.length;
    await stage.navigator.suspend();
    assert.equal(stage.events.length, told);
    return stage;
  }

  function hasEnded(stage: NavigatorStage): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (stage.ends.length > 0 && !stage.navigator.busy) resolve();
        else setImmediate(check);
      };
      check();
    });
  }

  it("breaks off silently, and the next process goes on as after a crash", async () => {
    const stage = await suspended();
    const next = new NavigatorStage([completes()], { files: stage.files });
    await next.navigator.recover(() => false, { goOn: true });
    await hasEnded(next);
    assert.deepEqual(next.started, stage.started);
    assert.deepEqual(next.ends, ["Done: All good"]);
    assert.ok(!next.notices.some((text) => text.includes("was interrupted")));
  });

  it("lets the next process go on when it starts before this one has ended", async () => {
    const stage = await suspended();
    const next = new NavigatorStage([completes()], { files: stage.files });
    const end = next.lock.occupy(taskLock(stage.started[0] ?? ""));
    await next.navigator.recover(() => false, { goOn: true });
    await next.clock.untilSleeping();
    assert.equal(next.navigator.busy, false);
    end();
    next.clock.advance(1000);
    await hasEnded(next);
    assert.deepEqual(next.started, stage.started);
    assert.deepEqual(next.ends, ["Done: All good"]);
  });

  it("stops waiting for the process before when a person stops it", async () => {
    const stage = await suspended();
    const next = new NavigatorStage([], { files: stage.files });
    next.lock.occupy(taskLock(stage.started[0] ?? ""));
    await next.navigator.recover(() => false, { goOn: true });
    await next.clock.untilSleeping();
    await next.navigator.stop();
    assert.equal(next.clock.sleeping, 0);
    assert.deepEqual(next.notices, []);
  });
});
