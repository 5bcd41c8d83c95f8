import assert from "node:assert/strict";
import type { PlanEdit } from "../../../../src/core/conversation/input/planEdit.js";
import {
  anyExpert,
  formatQueueEntry,
  parseQueue,
  type QueueEntry,
} from "../../../../src/core/documents/queue.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const task = (goal: string) => ({ suggested_mode: "rooroo-analyzer", goal_for_expert: goal });
const made = completes({
  message: "Three steps",
  queue_tasks_json_lines: ["One", "Two", "Three"].map(task),
});

/** Makes a plan of three tasks, which waits until the user starts it. */
async function waitingPlan(...later: readonly ModelScript[]) {
  const stage = new NavigatorStage([made, ...later]);
  const outcome = await stage.navigator.say("/plan --wait Count");
  assert.equal(outcome.status, "done");
  const planner = stage.started[0]!;
  const planId = planner.replace("TASK", "PLAN");
  const id = (number: number) => planner.replace("TASK", "SUB") + `_S00${number}`;
  const edit = (made: PlanEdit) => stage.navigator.queue.editPlan(planId, made);
  const queue = () =>
    parseQueue(stage.queueText, anyExpert).flatMap((line) =>
      line.kind === "task" ? [line.entry] : [],
    );
  const goals = () => queue().map(({ goal, autoProceed }) => (autoProceed ? goal : `(${goal})`));
  return { stage, planId, id, edit, goals };
}

describe("a plan that waits", () => {
  it("[R-ROO-31] is queued and runs when the user starts it, not before", async () => {
    const { stage, edit, goals } = await waitingPlan(completes(), completes(), completes());
    assert.deepEqual(goals(), ["(One)", "Two", "Three"]);
    assert.equal(stage.started.length, 1);
    assert.match(stage.notices.at(-1)!, /The plan waits/);
    await edit({ type: "start" });
    assert.deepEqual(goals(), ["One", "Two", "Three"]);
    await stage.navigator.proceed();
    assert.equal(stage.started.length, 4);
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-31] waits where the settings say so, and starts by itself otherwise", async () => {
    for (const startPlans of ["wait", "auto"] as const) {
      const stage = new NavigatorStage([made, completes(), completes(), completes()], {
        startPlans,
      });
      await stage.navigator.say("/plan Count");
      assert.equal(stage.started.length, startPlans === "wait" ? 1 : 4);
    }
  });

  it("still waits when the planner's process ends before the plan is queued", async () => {
    let waits = 0;
    for (let fatal = 1; ; fatal++) {
      const files = new MemoryFileSystem();
      let operations = 0;
      files.beforeOperation = () => {
        if (++operations >= fatal) throw new Error("killed");
      };
      await new NavigatorStage(() => made, { files }).navigator.say("/plan --wait Count");
      delete files.beforeOperation;
      const again = new NavigatorStage(() => made, { files });
      await again.navigator.recover(() => false, { goOn: true });
      while (again.navigator.busy) await new Promise((resolve) => setImmediate(resolve));
      const subs = again.started.filter((one) => one.includes("SUB"));
      assert.deepEqual(subs, [], `killed at operation ${fatal}`);
      if (again.queueText.includes('"auto_proceed_plan":false')) waits++;
      if (operations < fatal) break;
    }
    assert.ok(waits > 10, `${waits} kills left a plan that waits`);
  });

  it("[R-ROO-33] can be put in another order, and waits before whichever task is first then", async () => {
    const { edit, id, goals } = await waitingPlan();
    await edit({ type: "move", taskId: id(1), before: null });
    assert.deepEqual(goals(), ["(Two)", "Three", "One"]);
    await edit({ type: "move", taskId: id(1), before: id(2) });
    assert.deepEqual(goals(), ["(One)", "Two", "Three"]);
    await edit({ type: "remove", taskId: id(1) });
    assert.deepEqual(goals(), ["(Two)", "Three"]);
  });

  it("[R-ROO-33] still waits when its first task is moved or removed in the queue", async () => {
    const { stage, id, goals } = await waitingPlan();
    await stage.navigator.queue.move(id(1), null);
    assert.deepEqual(goals(), ["(Two)", "Three", "One"]);
    await stage.navigator.queue.move(id(3), id(2));
    assert.deepEqual(goals(), ["(Three)", "Two", "One"]);
    await stage.navigator.queue.remove(id(3));
    assert.deepEqual(goals(), ["(Two)", "One"]);
    // A task of no plan changes nothing about the plan.
    const other = await stage.navigator.enqueue({ goal: "Other", expert: "rooroo-analyzer" });
    await stage.navigator.queue.move(other, id(2));
    assert.deepEqual(goals(), ["Other", "(Two)", "One"]);
    await stage.navigator.queue.remove(other);
    assert.deepEqual(goals(), ["(Two)", "One"]);
  });

  it("gets a removed task back where it was, byte for byte, and waits or goes on as its others do", async () => {
    const { stage, id, edit, goals } = await waitingPlan();
    const queue = stage.files.text(".rooroo/queue.jsonl");
    for (const number of [1, 2, 3]) {
      const removed = await stage.navigator.queue.remove(id(number));
      await stage.navigator.queue.putBack(removed!);
      assert.equal(stage.files.text(".rooroo/queue.jsonl"), queue);
      const { tasks } = await stage.navigator.overview();
      assert.equal(tasks.find(({ taskId }) => taskId === id(number))?.state, "queued");
    }
    const first = await stage.navigator.queue.remove(id(1));
    const second = await stage.navigator.queue.remove(id(2));
    await stage.navigator.queue.putBack(first!);
    // What came after it is gone.
    assert.deepEqual(goals(), ["(Three)", "One"]);
    await edit({ type: "start" });
    await stage.navigator.queue.putBack(second!);
    await stage.navigator.queue.putBack(second!);
    assert.deepEqual(goals(), ["Two", "Three", "One"]);
  });

  for (const change of ["move", "remove"] as const) {
    it(`[R-ROO-33] never starts when the process ends during ${change}`, async () => {
      let passed = 0;
      for (let fatal = 1; ; fatal++) {
        const { stage, id } = await waitingPlan();
        const { files } = stage;
        let operations = 0;
        files.beforeOperation = () => {
          if (++operations >= fatal) throw new Error("killed");
        };
        await stage.navigator.queue[change](id(1), null).catch(() => undefined);
        delete files.beforeOperation;
        const again = new NavigatorStage(() => made, { files });
        await again.navigator.recover(() => false, { goOn: true });
        while (again.navigator.busy) await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(again.started, [], `killed at operation ${fatal}`);
        assert.match(again.queueText, /"auto_proceed_plan":false/);
        passed = fatal;
        if (operations < fatal) break;
      }
      assert.ok(passed > 3, `${passed} kills`);
    });
  }

  it("[R-ROO-33] can be changed, shortened and extended; each expert is told of the plan as it is then", async () => {
    const { stage, edit, id, goals } = await waitingPlan(completes(), completes(), completes());
    const was = { mode: "rooroo-analyzer", goal: "Two" };
    await edit({ type: "change", taskId: id(2), was, mode: "rooroo-developer", goal: "Write two" });
    await edit({ type: "remove", taskId: id(3) });
    await edit({ type: "add", mode: "rooroo-analyzer", goal: "Check it" });
    assert.deepEqual(goals(), ["(One)", "Write two", "Check it"]);
    await edit({ type: "start" });
    await stage.navigator.proceed();
    assert.deepEqual(stage.started.slice(1), [id(1), id(2), id(4)]);
    const told = stage.model.requests.map(({ messages }) => messages[1]?.content ?? "");
    assert.match(told[2]!, /EXECUTE_TASK .*--goal "Write two"/);
    assert.match(told[2]!, /The goal in the command counts/);
    assert.match(told[2]!, /Your task is number 2 of 3\.[\s\S]*3\. rooroo-analyzer: Check it/);
    assert.match(stage.model.requests[2]!.messages[0]!.content, /You are rooroo-developer/);
    // What the card has changed counts as put there here.
    assert.equal(stage.notices.filter((text) => text.includes("not added here")).length, 0);
    // The task that was removed is not offered as interrupted.
    const { tasks } = await stage.navigator.overview();
    assert.equal(
      tasks.some(({ taskId }) => taskId === id(3)),
      false,
    );
    await stage.navigator.recover(() => false);
    assert.equal(
      stage.notices.some((text) => text.includes("interrupted")),
      false,
    );
  });

  it("[R-ROO-33] leaves a line alone that somebody else has changed meanwhile", async () => {
    const { stage, edit, id, goals } = await waitingPlan();
    const path = ".rooroo/queue.jsonl";
    stage.files.put(path, stage.queueText.replace('"Two"', '"By hand"'));
    const was = { mode: "rooroo-analyzer", goal: "Two" };
    const change = { type: "change", taskId: id(2), was, mode: was.mode, goal: "Mine" } as const;
    await assert.rejects(edit(change), { code: "planTaskChanged" });
    assert.deepEqual(goals(), ["(One)", "By hand", "Three"]);
    stage.files.put(path, stage.queueText.split("\n").slice(1).join("\n"));
    await assert.rejects(edit({ type: "remove", taskId: id(1) }), { code: "planTaskGone" });
    await assert.rejects(edit({ ...change, taskId: id(3), mode: "nobody" }), {
      code: "expertUnknownAmong",
    });
  });

  it("[R-ROO-33] keeps the fields of a line that it does not know, and the lines around it", async () => {
    const { stage, edit, id } = await waitingPlan();
    const path = ".rooroo/queue.jsonl";
    const [one = "", two = "", three = ""] = stage.queueText.split("\n");
    const other = formatQueueEntry({
      taskId: "ROO#TASK_X",
      parentTaskId: null,
      mode: "rooroo-analyzer",
      contextPath: "x.md",
      goal: "Other",
      planId: null,
      autoProceed: true,
    } satisfies QueueEntry);
    const extended = two.replace("{", '{"mine":[1],');
    stage.files.put(path, `${one}\r\nno task\n${extended}\r\n${three}\n${other}`);
    const was = { mode: "rooroo-analyzer", goal: "Two" };
    await edit({ type: "change", taskId: id(2), was, mode: was.mode, goal: "Deux" });
    await edit({ type: "add", mode: was.mode, goal: "Four" });
    const lines = stage.queueText.split("\n");
    assert.equal(lines[0], `${one}\r`);
    assert.equal(lines[1], "no task");
    assert.equal(lines[2], `${extended.replace('"Two"', '"Deux"')}\r`);
    assert.match(lines[4]!, /"Four"/);
    assert.equal(lines[5], other);
  });

  it("is discarded as a whole", async () => {
    const { stage, edit } = await waitingPlan();
    await edit({ type: "discard" });
    assert.equal(stage.queueText, "");
    assert.equal(stage.activity().filter((type) => type === "TASK_ABORTED").length, 3);
  });
});

describe("a plan at work", () => {
  it("[R-ROO-31] pauses after the task that runs, and goes on when the user says so", async () => {
    const { stage, edit, goals } = await waitingPlan(
      async () => {
        await edit({ type: "pause" });
        return completes();
      },
      completes(),
      completes(),
    );
    await stage.navigator.proceed();
    assert.deepEqual(goals(), ["(Two)", "Three"]);
    await edit({ type: "start" });
    await stage.navigator.proceed();
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-33] changes nothing about a task that has begun", async () => {
    const refused: unknown[] = [];
    const { stage, edit, id } = await waitingPlan(
      async () => {
        const was = { mode: "rooroo-analyzer", goal: "One" };
        for (const made of [
          { type: "remove", taskId: id(1) },
          { type: "move", taskId: id(1), before: null },
          { type: "move", taskId: id(3), before: id(1) },
          { type: "change", taskId: id(1), was, mode: was.mode, goal: "Other" },
        ] as const) {
          await edit(made).catch((error: unknown) => refused.push(error));
        }
        return completes();
      },
      completes(),
      completes(),
    );
    await stage.navigator.proceed();
    assert.equal(refused.length, 4);
    assert.deepEqual(stage.started.slice(1), [id(1), id(2), id(3)]);
  });
});
