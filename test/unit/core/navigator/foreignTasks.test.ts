import assert from "node:assert/strict";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";
import { neverAnswers } from "../../../fakes/scriptedModel.js";

const signer = new PlainSigner();
const mode = "rooroo-developer";
const id = (number: number) => `ROO#TASK_20260102030405_00000${number}`;

function record(number: number): object {
  const fixed = { parentTaskId: null, planId: null, mode, createdAt: "2026-01-02T03:04:05.000Z" };
  return { schema: 1, taskId: id(number), goal: `Goal ${number}`, ...fixed };
}

function foreign(number: number): Record<string, string> {
  return { [`.rooroo/tasks/${id(number)}/task.json`]: JSON.stringify(record(number)) };
}

function own(number: number): Record<string, string> {
  const path = `.rooroo/tasks/${id(number)}/task.json`;
  return { [path]: signer.file(path, record(number)) };
}

function queueLine(number: number, more: object = {}): string {
  return `${JSON.stringify({
    taskId: id(number),
    suggested_mode: mode,
    goal_for_expert: `Goal ${number}`,
    context_file_path: `.rooroo/tasks/${id(number)}/context.md`,
    ...more,
  })}\n`;
}

const toldOfForeign = "This folder has 2 tasks and 3 messages that this installation";

describe("tasks that came with a folder", () => {
  it("are counted and told of once, also after a restart, and those of our own go on as ever", async () => {
    const files = new MemoryFileSystem({ ...foreign(1), ...foreign(2), ...own(3) });
    const stage = new NavigatorStage([], { files });
    const opening = { goOn: false, foreignMessages: 3 };
    await stage.navigator.recover(() => false, opening);
    await stage.navigator.recover(() => false, opening);
    assert.equal(stage.notices.filter((text) => text.startsWith(toldOfForeign)).length, 1);
    assert.equal(
      (await stage.navigator.overview()).tasks.find(({ taskId }) => taskId === id(3))?.state,
      "interrupted",
    );
    assert.ok(stage.notices.every((text) => !text.includes(id(1))));

    const next = new NavigatorStage([], { files });
    next.navigator.recall(stage.events);
    await next.navigator.recover(() => false, opening);
    assert.deepEqual(
      next.notices.filter((text) => text.startsWith(toldOfForeign)),
      [],
    );
  });

  it("can be adopted from the notice that tells of them", async () => {
    const stage = new NavigatorStage([], { files: { ...foreign(1) } });
    await stage.navigator.recover(() => false);
    const [told] = stage.events.flatMap((event) => (event.type === "notice" ? [event] : []));
    assert.deepEqual(told?.steps, [
      { type: "action", label: "Adopt", action: { action: "adopt", taskId: null } },
    ]);
  });
});

describe("lines of the queue that nobody here has put there", () => {
  it("are named when the queue is worked on, once", async () => {
    const files = {
      ...own(1),
      ".rooroo/queue.jsonl": [1, 2, 3].map((number) => queueLine(number)).join(""),
    };
    const stage = new NavigatorStage(() => completes(), { files });
    await stage.navigator.proceed({ one: true });
    assert.ok(stage.notices.every((text) => !text.includes("not added here")));
    await stage.navigator.proceed();
    const named = stage.notices.filter((text) => text.includes("not added here"));
    assert.equal(named.length, 1);
    assert.match(named[0] ?? "", /^The 2 tasks in the queue were not added here/);
    assert.match(named[0] ?? "", new RegExp(`${id(2)}.*: Goal 2\n.*${id(3)}.*: Goal 3$`));
  });

  it("are named when one of them starts instead of a task whose files are damaged", async () => {
    const files = {
      [`.rooroo/tasks/${id(1)}/task.json`]: "{",
      ".rooroo/queue.jsonl": [1, 2].map((number) => queueLine(number)).join(""),
    };
    const stage = new NavigatorStage(() => completes(), { files });
    await stage.navigator.proceed({ one: true });
    const named = stage.notices.filter((text) => text.includes("not added here"));
    assert.match(named.at(-1) ?? "", new RegExp(id(2)));
  });

  it("cost a task that is begun alone nothing, however many wait behind it", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const files = new MemoryFileSystem({
      ...own(1),
      ".rooroo/queue.jsonl": numbers.map((number) => queueLine(number)).join(""),
    });
    const stage = new NavigatorStage(() => completes(), { files });
    const asked: string[] = [];
    files.beforeOperation = (_, path) => asked.push(path);
    await stage.navigator.proceed({ one: true });
    const tasks = asked.filter((path) => path.startsWith(".rooroo/tasks/"));
    assert.deepEqual(
      tasks.filter((path) => !path.includes(id(1))),
      [],
    );
  });

  it("are known by what they have the task do, not by its name", async () => {
    const changes = [
      { goal_for_expert: "Another goal" },
      { suggested_mode: "rooroo-analyzer" },
      { context_file_path: "notes.md" },
    ];
    for (const change of changes) {
      const files = { ...own(1), ".rooroo/queue.jsonl": queueLine(1, change), "notes.md": "" };
      const stage = new NavigatorStage(() => completes(), { files });
      await stage.navigator.proceed();
      const what = JSON.stringify(change);
      assert.match(stage.notices[0] ?? "", /^The task in the queue was not added here/, what);
    }
  });

  it("of our own are not named", async () => {
    const stage = new NavigatorStage(() => completes());
    await stage.navigator.enqueue({ goal: "Go", expert: mode });
    await stage.navigator.proceed();
    assert.ok(stage.notices.every((text) => !text.includes("not added here")));
    assert.equal(stage.ends.length, 1);
  });
});

describe("a queue that was being worked on when the process ended", () => {
  const marker = ".rooroo/locks/queue.active";

  /** Returns what a window finds whose process ended while it worked on the queue with its first line. */
  async function interruptedStage(seen: string, now: string): Promise<NavigatorStage> {
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": seen });
    const first = new NavigatorStage([neverAnswers(() => void ended.push(end()))], { files });
    const ended: Promise<void>[] = [];
    const end = (): Promise<void> => first.navigator.suspend();
    await first.navigator.proceed();
    await Promise.all(ended);
    assert.ok(files.text(marker), "the work left no mark");
    files.put(".rooroo/queue.jsonl", now);
    const stage = new NavigatorStage(() => completes(), { files });
    await stage.navigator.recover(() => false, { goOn: true });
    while (stage.navigator.busy) await new Promise((resolve) => setImmediate(resolve));
    return stage;
  }

  it("goes on by itself with the tasks that the person knew of", async () => {
    const stage = await interruptedStage(queueLine(1) + queueLine(2), queueLine(1) + queueLine(2));
    assert.deepEqual(stage.started, [id(1), id(2)]);
    assert.equal(stage.queueText, "");
  });

  it("waits for a word when lines came since", async () => {
    const stage = await interruptedStage(queueLine(1), queueLine(1) + queueLine(2));
    assert.ok(!stage.started.includes(id(2)));
    assert.ok(stage.notices.some((text) => text.includes("It goes on when you say so.")));
    assert.match(stage.queueText, /Goal 2/);
  });

  it("waits for a word when a line says something else since", async () => {
    const stage = await interruptedStage(
      queueLine(1),
      queueLine(1, { goal_for_expert: "Another goal" }),
    );
    assert.ok(stage.notices.some((text) => text.includes("It goes on when you say so.")));
  });
});
