import assert from "node:assert/strict";
import type { WorkServices } from "../../../../src/core/navigator/requests/workServices.js";
import { endsAtChange, MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { type ModelScript, neverAnswers } from "../../../fakes/scriptedModel.js";

const expert = "rooroo-developer";
const step = { suggested_mode: expert, goal_for_expert: "Write it: the file" };
const isRequestFile = (path: string) => path.endsWith(".request");

/** Plays a request of one route, whatever was said before. */
const plays =
  (route: string): ModelScript =>
  (request) => {
    if (request.forcedTool) return triages({ route, expert, goal: "Write it" });
    const wrote = request.messages.some(({ role }) => role === "tool");
    const isPlanner = request.messages[1]?.content.includes("PLAN_TASK") === true;
    if (isPlanner) return completes({ queue_tasks_json_lines: [step] });
    return wrote ? completes() : calls("write_to_file", { path: "a.txt", content: "x" });
  };

type RunService = NonNullable<WorkServices["run"]>;

describe("a request whose process ends", () => {
  for (const route of ["direct", "queue", "plan", "brainstorm"]) {
    it(`is in the list from its first change of files on, and is done once when it goes on: ${route}`, async () => {
      let isOver = false;
      for (let nth = 1; !isOver; nth++) {
        const files = new MemoryFileSystem();
        const before = new NavigatorStage(plays(route), { files });
        files.beforeOperation = endsAtChange(nth);
        await before.navigator.say("please write it").catch(() => undefined);
        isOver = before.ends.length > 0;
        delete files.beforeOperation;
        const after = new NavigatorStage(plays(route), { files });
        await after.navigator.recover(() => false);
        const { tasks } = await after.navigator.overview();
        const at = `ended at change ${nth}, with ${files.paths.join(", ")}`;
        if (nth === 1) {
          assert.deepEqual(tasks, [], at);
          continue;
        }
        const own = tasks.filter(({ planId }) => planId === null);
        assert.equal(own.length, 1, at);
        const [task] = own;
        assert.match(task!.goal, /write it/i, at);
        if (task!.state === "interrupted") await after.navigator.resume(task!.taskId);
        await after.navigator.proceed();
        const ended = (await after.navigator.overview()).tasks;
        assert.equal(ended.length, route === "plan" ? 2 : 1, at);
        if (route !== "brainstorm")
          assert.ok(
            ended.every(({ state }) => state === "done"),
            at,
          );
        assert.equal(files.paths.some(isRequestFile), false, at);
      }
    });
  }

  it("is in the list until the run that it asks for is written down, and not any more then", async () => {
    for (let nth = 2, isOver = false; !isOver; nth++) {
      const files = new MemoryFileSystem();
      const begin: RunService["begin"] = async ({ run }, _signal, _conversation, begun) => {
        await files.createFile("run.md", run.request);
        await begun?.end();
        await files.createFile("work.md", "");
        return { status: "done" };
      };
      const before = new NavigatorStage([], { files, works: { run: { begin } } });
      files.beforeOperation = endsAtChange(nth);
      await before.navigator.say("/run write it now").catch(() => undefined);
      delete files.beforeOperation;
      const after = new NavigatorStage([], { files });
      const { tasks } = await after.navigator.overview();
      const isRecorded = files.text("run.md") !== undefined;
      const at = `ended at change ${nth}, with ${files.paths.join(", ")}`;
      assert.ok(isRecorded || tasks.length === 1, at);
      isOver = files.text("work.md") !== undefined;
      if (isOver) assert.deepEqual(tasks, [], at);
    }
  });

  const killed = async (): Promise<NavigatorStage> => {
    const stage = new NavigatorStage(() => {
      throw new Error("The process has ended.");
    });
    stage.files.beforeOperation = endsAtChange(2);
    await stage.navigator.say("please write it").catch(() => undefined);
    delete stage.files.beforeOperation;
    return new NavigatorStage([], { files: stage.files });
  };

  it("is told of, and not begun again by itself", async () => {
    const after = await killed();
    await after.navigator.recover(() => false, { goOn: true });
    assert.match(
      after.notices.join("\n"),
      /"please write it" was interrupted before anything was begun for it/,
    );
    assert.equal(after.model.requests.length, 0);
    assert.equal(after.navigator.busy, false);
  });

  it("can be discarded", async () => {
    const after = await killed();
    const [request] = (await after.navigator.overview()).tasks;
    assert.deepEqual([request!.state, request!.isRequest], ["interrupted", true]);
    await after.navigator.queue.remove(request!.taskId);
    assert.deepEqual((await after.navigator.overview()).tasks, []);
    await after.navigator.resume(request!.taskId);
    assert.match(after.notices.at(-1) ?? "", /There is no task ROO#REQUEST_/);
  });

  it("is nobody's who has not signed it", async () => {
    const after = await killed();
    const path = after.files.paths.find(isRequestFile) ?? "";
    after.files.put(path, after.files.text(path)!.replace("please write it", "delete all"));
    assert.deepEqual((await after.navigator.overview()).tasks, []);
  });
});

describe("an answer whose process ends", () => {
  it("is in the list while the task's question is open, and counts once", async () => {
    for (let nth = 2, isTaken = false; !isTaken; nth++) {
      const files = new MemoryFileSystem();
      const before = new NavigatorStage(
        [triages({ route: "direct", expert, goal: "Write it" }), asks("Which?"), completes()],
        { files },
      );
      await before.navigator.say("please write it");
      const [asking] = (await before.navigator.overview()).tasks;
      files.beforeOperation = endsAtChange(nth);
      await before.navigator.answer(asking!.taskId, "The blue one").catch(() => undefined);
      delete files.beforeOperation;
      const after = new NavigatorStage([completes()], { files });
      const { tasks } = await after.navigator.overview();
      const answer = tasks.find(({ isRequest }) => isRequest);
      isTaken = answer === undefined;
      if (answer === undefined) break;
      assert.equal(answer.goal, "The blue one");
      await after.navigator.resume(answer.taskId);
      const [done, ...others] = (await after.navigator.overview()).tasks;
      assert.deepEqual([done!.state, others], ["done", []]);
    }
  });
});

describe("a request that is being carried out", () => {
  it("is not shown as interrupted, and leaves nothing when it is stopped", async () => {
    let tellAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (tellAsked = resolve));
    const stage = new NavigatorStage([
      neverAnswers(() => {
        tellAsked();
      }),
    ]);
    const said = stage.navigator.say("please write it");
    await asked;
    assert.equal(stage.files.paths.filter(isRequestFile).length, 1);
    const other = new NavigatorStage([], { files: stage.files, lock: stage.lock });
    assert.deepEqual((await other.navigator.overview()).tasks, []);
    await stage.navigator.stop();
    await said;
    assert.deepEqual(stage.files.paths.filter(isRequestFile), []);
  });

  it("stays for the next process when this one is suspended", async () => {
    let tellAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => (tellAsked = resolve));
    const stage = new NavigatorStage([
      neverAnswers(() => {
        tellAsked();
      }),
    ]);
    void stage.navigator.say("please write it");
    await asked;
    await stage.navigator.suspend();
    const next = new NavigatorStage([], { files: stage.files });
    const [request] = (await next.navigator.overview()).tasks;
    assert.equal(request?.goal, "please write it");
  });
});
