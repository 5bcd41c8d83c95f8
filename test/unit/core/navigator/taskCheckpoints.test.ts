import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import type { PlanTask } from "../../../../src/core/conversation/state/items.js";
import { endsAtChange } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, triages } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";
import { place, RestoreStage, writes } from "./restoreStage.js";

const developer = "rooroo-developer";

/** Returns what a planner does; a goal that ends in `!` is one before which the queue stops. */
function plans(...goals: readonly string[]): ModelScript {
  return completes({
    queue_tasks_json_lines: goals.map((goal) => ({
      suggested_mode: developer,
      goal_for_expert: goal.replace("!", ""),
      ...(goal.endsWith("!") ? { auto_proceed_plan: false } : {}),
    })),
  });
}

/** A conversation in which a plan was carried out: `a` was written by two of its tasks, `b` by the last. */
async function planDone(more: readonly ModelScript[] = []) {
  const stage = new RestoreStage(
    [
      plans("Begin a", "Go on with a", "Write b"),
      ...writes("a", "one\n"),
      ...writes("a", "two\n"),
      ...writes("b", "new\n"),
      ...more,
    ],
    { a: "zero\n" },
  );
  await stage.say("/plan Build it");
  return stage;
}

/** Returns the id of the task with this goal that began last. */
function taskOf(events: readonly ConversationEvent[], goal: string): string {
  const begun = events.findLast((one) => one.type === "sessionStarted" && one.goal === goal);
  assert.ok(begun?.type === "sessionStarted");
  return begun.taskId;
}

/** Returns the queue as `goal`, or `goal!` where it stops. */
async function queued({ stage }: RestoreStage): Promise<string[]> {
  const entries = await stage.dependencies.queue.entries();
  return entries.map(({ goal, autoProceed }) => (autoProceed ? goal : `${goal}!`));
}

/** Returns what the lists show, as `goal: state`, sorted. */
async function listed({ stage }: RestoreStage): Promise<string[]> {
  const { tasks } = await stage.navigator.overview();
  return tasks.map(({ goal, state }) => `${goal}: ${state}`).sort();
}

async function planTasks(stage: RestoreStage): Promise<readonly PlanTask[]> {
  const plan = (await stage.shown()).find((item) => item.kind === "plan");
  assert.ok(plan?.kind === "plan");
  return plan.tasks;
}

/** Returns the goals of the tasks of which the conversation shows what they did. */
async function headings(stage: RestoreStage): Promise<string[]> {
  return (await stage.shown()).flatMap((item) =>
    item.kind === "task" && item.planId !== undefined ? [item.goal] : [],
  );
}

async function lastNotice(stage: RestoreStage): Promise<string> {
  const notices = (await stage.shown()).filter(({ id }) => id.startsWith("r-"));
  return notices.at(-1)!.id;
}

describe("a restore to before a task of a plan", () => {
  it("is offered for each of them, and says first what it does", async () => {
    const stage = await planDone();
    const list = await stage.points.list();
    assert.deepEqual(
      list.map(({ kind, title }) => `${kind}: ${title}`),
      ["message: Build it", "task: Begin a", "task: Go on with a", "task: Write b"],
    );
    const preview = await stage.points.preview(list[2]!.id);
    assert.deepEqual(preview.checkpoint, list[2]);
    assert.deepEqual(preview.files, [
      { path: "a", type: "restored" },
      { path: "b", type: "removed" },
    ]);
    assert.deepEqual(preview.returning, ["Go on with a", "Write b"]);
    assert.deepEqual([preview.unfinished, preview.earlier], [[], []]);
    assert.deepEqual(await queued(stage), []);
  });

  it("cuts the conversation there and queues that task and the later ones again, to wait", async () => {
    const stage = await planDone([completes({ message: "Something else" })]);
    const second = taskOf(stage.stage.events, "Go on with a");
    assert.deepEqual(await stage.points.restore(second, "both"), { files: 2, left: [] });
    assert.equal(stage.text("a"), "one\n");
    assert.equal(stage.text("b"), undefined);
    assert.deepEqual(await headings(stage), ["Begin a"]);
    assert.match(
      (await stage.lines()).at(-1) ?? "",
      /to before “Go on with a”\. 2 files restored\. 2 tasks are queued again and wait/,
    );
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
    const now = ["Begin a: done", "Build it: done", "Go on with a: queued", "Write b: queued"];
    assert.deepEqual(await listed(stage), now);
    const shown = (await planTasks(stage)).map(({ goal, state, isHeld }) => [goal, state, isHeld]);
    assert.deepEqual(shown, [
      ["Begin a", "done", false],
      ["Go on with a", "waiting", true],
      ["Write b", "waiting", false],
    ]);
    // Other work ends without having them follow.
    await stage.say("/do Something else");
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
    await stage.stage.navigator.recover(() => true);
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
  });

  it("has these tasks done anew when the user proceeds, and each can be restored to again", async () => {
    const stage = await planDone([
      ...writes("a", "second\n"),
      ...writes("b", "newer\n"),
      ...writes("b", "newest\n"),
    ]);
    await stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "both");
    await stage.stage.navigator.proceed({}, place);
    assert.equal(stage.text("a"), "second\n");
    assert.equal(stage.text("b"), "newer\n");
    assert.deepEqual(await headings(stage), ["Begin a", "Go on with a", "Write b"]);
    assert.deepEqual(
      (await planTasks(stage)).map(({ state }) => state),
      ["done", "done", "done"],
    );
    // The plan, as its experts are told of it, has each task once.
    const told = stage.stage.model.requests.map(({ messages }) => JSON.stringify(messages));
    const numbers = told.flatMap((text) => /number (\d of \d)/.exec(text)?.[1] ?? []);
    assert.deepEqual([...new Set(numbers)], ["1 of 3", "2 of 3", "3 of 3"]);
    const third = taskOf(stage.stage.events, "Write b");
    await stage.points.restore(third, "both");
    assert.equal(stage.text("a"), "second\n");
    assert.equal(stage.text("b"), undefined);
    assert.deepEqual(await queued(stage), ["Write b!"]);
    await stage.stage.navigator.proceed({}, place);
    assert.equal(stage.text("b"), "newest\n");
    const all = ["Begin a: done", "Build it: done", "Go on with a: done", "Write b: done"];
    assert.deepEqual(await listed(stage), all);
  });

  it("is undone with all that it took: conversation, files, queue and lists", async () => {
    const stage = await planDone();
    const [before, lists] = [await stage.shown(), await listed(stage)];
    await stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "both");
    await stage.points.undo(await lastNotice(stage));
    assert.deepEqual(await stage.shown(), before);
    assert.deepEqual(await listed(stage), lists);
    assert.deepEqual(await queued(stage), []);
    assert.equal(stage.text("a"), "two\n");
    assert.equal(stage.text("b"), "new\n");
  });

  it("restores only the files, and leaves the queue alone", async () => {
    const stage = await planDone();
    await stage.points.restore(taskOf(stage.stage.events, "Write b"), "files");
    assert.equal(stage.text("a"), "two\n");
    assert.equal(stage.text("b"), undefined);
    assert.deepEqual(await queued(stage), []);
    assert.deepEqual(await headings(stage), ["Begin a", "Go on with a", "Write b"]);
  });

  it("restores only the conversation; what the tasks had changed is restored by a later one", async () => {
    const stage = await planDone();
    const first = taskOf(stage.stage.events, "Begin a");
    await stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "conversation");
    assert.equal(stage.text("a"), "two\n");
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
    await stage.points.restore(first, "both");
    assert.equal(stage.text("a"), "zero\n");
    assert.equal(stage.text("b"), undefined);
    assert.deepEqual(await queued(stage), ["Begin a!", "Go on with a!", "Write b"]);
  });

  it("keeps the order and the stops of what waits, and takes back a question", async () => {
    const stage = new RestoreStage(
      [plans("One", "Two", "Three!"), completes(), asks("Which?"), completes()],
      {},
    );
    await stage.say("/plan Build it");
    assert.deepEqual(await queued(stage), ["Two", "Three!"]);
    const before = await listed(stage);
    assert.ok(before.includes("Two: needsYou"));
    await stage.points.restore(taskOf(stage.stage.events, "One"), "conversation");
    assert.deepEqual(await queued(stage), ["One!", "Two", "Three!"]);
    const now = ["Build it: done", "One: queued", "Three: queued", "Two: queued"];
    assert.deepEqual(await listed(stage), now);
    await stage.points.undo(await lastNotice(stage));
    assert.deepEqual(await queued(stage), ["Two!", "Three!"]);
    assert.deepEqual(await listed(stage), before);
  });

  it("stops again where the planner wanted it", async () => {
    const stage = new RestoreStage(
      [plans("One", "Two", "Three!"), ...[1, 2, 3].map(() => completes())],
      {},
    );
    await stage.say("/plan Build it");
    await stage.stage.navigator.proceed({}, place);
    await stage.points.restore(taskOf(stage.stage.events, "One"), "both");
    assert.deepEqual(await queued(stage), ["One!", "Two", "Three!"]);
  });

  it("leaves tasks that have begun since when it is undone, and takes all others out of the queue", async () => {
    const stage = await planDone([...writes("a", "second\n"), asks("Which?")]);
    await stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "both");
    const undone = await lastNotice(stage);
    await stage.stage.navigator.proceed({ one: true }, place);
    assert.deepEqual(await queued(stage), ["Write b"]);
    const again = taskOf(stage.stage.events, "Go on with a");
    // One that was restored to in turn is not left waiting either.
    await stage.points.restore(again, "both");
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
    await stage.points.undo(undone);
    assert.deepEqual(await queued(stage), []);
    assert.equal(stage.text("a"), "two\n");
    assert.equal(stage.text("b"), "new\n");
    const all = ["Begin a: done", "Build it: done", "Go on with a: done", "Write b: done"];
    assert.deepEqual(await listed(stage), all);
  });

  it("keeps a task's outcome on the plan's card that began after a restore which is undone", async () => {
    const stage = await planDone([completes({ message: "Again" })]);
    await stage.points.restore(taskOf(stage.stage.events, "Write b"), "conversation");
    await stage.stage.navigator.proceed({}, place);
    await stage.points.undo(await lastNotice(stage));
    assert.deepEqual(
      (await planTasks(stage)).map(({ goal, state }) => `${goal}: ${state}`),
      ["Begin a: done", "Go on with a: done", "Write b: done", "Write b: done"],
    );
  });

  it("keeps the Navigator from hearing what was taken back", async () => {
    const stage = await planDone([triages({ route: "acknowledge", reply: "Yes." })]);
    await stage.points.restore(taskOf(stage.stage.events, "Write b"), "conversation");
    await stage.say("And now?");
    const heard = JSON.stringify(stage.stage.model.requests.at(-1)?.messages);
    assert.match(heard, /Wrote a/);
    assert.doesNotMatch(heard, /Wrote b/);
  });

  it("is refused while something works here, and overwrites nothing that has changed since", async () => {
    const stage = await planDone();
    const second = taskOf(stage.stage.events, "Go on with a");
    const held = await stage.stage.lock.tryHold("drain");
    await assert.rejects(stage.points.restore(second, "both"), {
      code: "restoreWhileRunningElsewhere",
    });
    assert.deepEqual(await queued(stage), []);
    if ("held" in held) await held.held.release();
    stage.stage.files.put("a", "mine\n");
    const { left } = await stage.points.restore(second, "both");
    assert.deepEqual(
      left.map(({ path }) => path),
      ["a"],
    );
    assert.equal(stage.text("a"), "mine\n");
    assert.deepEqual(await queued(stage), ["Go on with a!", "Write b"]);
    await assert.rejects(stage.points.preview(second), { code: "checkpointUnknown" });
  });

  it("loses nothing when the process ends at any file operation, and is finished or undone then", async () => {
    for (const then of ["finish", "undo"] as const) {
      for (let end = 1; ; end++) {
        const stage = await planDone();
        const before = await listed(stage);
        const cutOff = await cutOffAt(stage, end, () =>
          stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "both"),
        );
        if (!cutOff) break;
        // The next process, with what is on disk.
        const next = new RestoreStage([], stage.stage.files, stage.stage.clock);
        await next.stage.navigator.recover(() => true);
        const notice = (await next.shown()).find(({ id }) => id.startsWith("r-"));
        const isDone = notice !== undefined && then === "finish";
        if (notice !== undefined) {
          assert.deepEqual(await headings(next), ["Begin a"], `killed at ${end}`);
          await next.points[then](notice.id);
        }
        const now = ["Begin a: done", "Build it: done", "Go on with a: queued", "Write b: queued"];
        assert.deepEqual(await listed(next), isDone ? now : before, `${then}, killed at ${end}`);
        assert.deepEqual(await queued(next), isDone ? ["Go on with a!", "Write b"] : []);
        assert.equal(next.text("a"), isDone ? "one\n" : "two\n");
        assert.equal(next.text("b"), isDone ? undefined : "new\n");
        assert.equal((await headings(next)).length, isDone ? 1 : 3);
      }
    }
  }).timeout(60_000);

  it("is undone in the end, although the process ends at any file operation of that", async () => {
    for (let end = 1; ; end++) {
      const stage = await planDone();
      const before = await listed(stage);
      await stage.points.restore(taskOf(stage.stage.events, "Go on with a"), "both");
      const id = await lastNotice(stage);
      if (!(await cutOffAt(stage, end, () => stage.points.undo(id)))) break;
      const next = new RestoreStage([], stage.stage.files, stage.stage.clock);
      await next.stage.navigator.recover(() => true);
      if ((await headings(next)).length === 1) await next.points.undo(id);
      assert.deepEqual(await listed(next), before, `killed at ${end}`);
      assert.deepEqual(await queued(next), []);
      assert.equal(next.text("a"), "two\n");
      assert.equal(next.text("b"), "new\n");
      assert.equal((await headings(next)).length, 3);
    }
  }).timeout(60_000);
});

describe("a restore to before a message", () => {
  it("queues tasks again that were queued before it and began after it", async () => {
    const stage = new RestoreStage(
      [
        plans("Begin a", "Write b"),
        triages({ route: "acknowledge", reply: "Yes." }),
        ...writes("a", "one\n"),
        calls("ask_followup_question", { question: "Which?", suggestions: [] }),
      ],
      { a: "zero\n" },
    );
    await stage.say("/plan --wait Build it");
    const message = await stage.say("A word in between");
    await stage.stage.navigator.proceed({}, place);
    assert.equal(stage.text("a"), "one\n");
    assert.deepEqual((await stage.points.preview(message)).returning, ["Begin a", "Write b"]);
    await stage.points.restore(message, "both");
    assert.equal(stage.text("a"), "zero\n");
    assert.deepEqual(await queued(stage), ["Begin a!", "Write b"]);
    assert.deepEqual(await headings(stage), []);
  });
});

/** Has the work's process end at a file operation, counted from 1; returns whether that came before the work's end. */
async function cutOffAt(
  { stage: { files } }: RestoreStage,
  end: number,
  work: () => Promise<unknown>,
): Promise<boolean> {
  files.beforeOperation = endsAtChange(end);
  const cutOff = await work().then(
    () => false,
    () => true,
  );
  files.beforeOperation = undefined;
  return cutOff;
}
