import assert from "node:assert/strict";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";

const line = (id: string, plan: string | null) =>
  `${JSON.stringify({
    taskId: `ROO#${id}`,
    suggested_mode: "rooroo-developer",
    goal_for_expert: id,
    ...(plan === null ? {} : { plan_id: plan }),
  })}\n`;
const folder = ".rooroo/tasks/ROO#A";
const queue = line("A", "ROO#PLAN_1") + line("B", "ROO#PLAN_1") + line("C", null);

/** By name: a file of a task, as this version cannot use it. */
const unusable: Record<string, { path: string; text: string; told: RegExp }> = {
  "a report that is torn": {
    path: `${folder}/report.json`,
    text: '{"status": "Do',
    told: /report\.json cannot be read: .*Mend the file/,
  },
  "a report of a newer version": {
    path: `${folder}/report.json`,
    text: '{"schema": 2, "status": "Partly", "message": "x", "more": [1]}\n',
    told: /report\.json was written by a newer version.*Update it/,
  },
  "a record of a newer version": {
    path: `${folder}/task.json`,
    text: '{"schema": 2, "taskId": "ROO#A", "steps": []}\n',
    told: /task\.json was written by a newer version.*Update it/,
  },
  "a transcript of a newer version": {
    path: `${folder}/transcript.jsonl`,
    text: '{"type":"start","schema":2,"at":"2030-01-01","parts":["x"]}\n{"type":"thought"}\n',
    told: /transcript\.jsonl was written by a newer version.*Update it/,
  },
  "a question that is torn": {
    path: `${folder}/question.json`,
    text: '{"questionId": ',
    told: /question\.json cannot be read: .*Mend the file/,
  },
};

describe("a queue of many lines that cannot be used", () => {
  it("names the first of them and says how many more there are, and runs what can be used", async () => {
    const files = { ".rooroo/queue.jsonl": "nothing\n".repeat(500) + line("A", null) };
    const stage = new NavigatorStage(() => completes(), { files });
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.deepEqual(stage.started, ["ROO#A"]);
    const told = stage.notices.filter((text) => text.includes("passed over"));
    assert.equal(told.length, 11, told.slice(0, 20).join("\n"));
    assert.match(told.at(-1) ?? "", /490 more lines that are passed over/);
    const logged = stage.activity().filter((type) => /INVALID|PARSE/.test(type));
    assert.equal(logged.length, 11);
  });
});

describe("a task whose files cannot be used", () => {
  for (const [name, { path, text, told }] of Object.entries(unusable)) {
    it(`[R-ROO-31] is told of and passed over with the rest of its plan; others run: ${name}`, async () => {
      const files = { ".rooroo/queue.jsonl": queue, [path]: text };
      const stage = new NavigatorStage(() => completes(), { files });
      await stage.navigator.recover(() => false);
      assert.equal((await stage.navigator.proceed()).status, "failed");
      assert.deepEqual(stage.started, ["ROO#C"]);
      assert.equal(stage.queueText, line("A", "ROO#PLAN_1") + line("B", "ROO#PLAN_1"));
      assert.ok(
        stage.notices.some((notice) => told.test(notice)),
        stage.notices.join("\n"),
      );
      assert.equal(stage.files.text(path), text, "to the byte");
      const { tasks } = await stage.navigator.overview();
      assert.ok(tasks.some(({ taskId }) => taskId === "ROO#A"));
    });
  }

  it("is no step: a single one goes to the next that can be used", async () => {
    const files = { ".rooroo/queue.jsonl": line("A", null) + line("B", null) + line("C", null) };
    const torn = { [`${folder}/report.json`]: "{" };
    const stage = new NavigatorStage(() => completes(), { files: { ...files, ...torn } });
    await stage.navigator.proceed({ one: true });
    assert.deepEqual(stage.started, ["ROO#B"]);
  });

  it("keeps fields that are not known, and may be used", async () => {
    const path = `${folder}/task.json`;
    const text = `${JSON.stringify({
      schema: 1,
      taskId: "ROO#A",
      parentTaskId: null,
      planId: null,
      goal: "A",
      mode: "rooroo-developer",
      createdAt: "2026-01-01T00:00:00Z",
      colour: "red",
    })}\n`;
    const files = { ".rooroo/queue.jsonl": line("A", null), [path]: text };
    const stage = new NavigatorStage(() => completes(), { files });
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.equal(stage.files.text(path), text);
  });
});
