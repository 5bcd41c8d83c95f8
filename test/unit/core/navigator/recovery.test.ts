import assert from "node:assert/strict";
import { temporaryName } from "../../../../src/core/access/temporaryName.js";
import { planRecovery, type TaskFacts } from "../../../../src/core/navigator/recovery/recovery.js";
import { endsAtChange, MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const tasks = ["One", "Two"].map((goal) => ({
  suggested_mode: "rooroo-developer",
  goal_for_expert: goal,
}));

/** Plays the same plan whatever was said before: the answer follows from the request alone. */
const plan: ModelScript = (request) => {
  if (request.forcedTool) return triages({ route: "plan", goal: "Build it" });
  const command = request.messages[1]!.content;
  if (command.includes("PLAN_TASK")) return completes({ queue_tasks_json_lines: tasks });
  const goal = /--goal "(\w+)"/.exec(command)![1]!;
  // A write that a crash interrupted was not repeated: a model that reads its results does it again.
  const wrote = request.messages.some(
    (message) => message.role === "tool" && !message.content.includes("not repeated"),
  );
  return wrote
    ? completes({ message: goal })
    : calls("write_to_file", { path: `${goal}.txt`, content: `${goal}\n` });
};

describe("recovery", () => {
  it("decides from the files alone", () => {
    const facts: TaskFacts = {
      taskId: "ROO#TASK_1",
      queued: true,
      recorded: true,
      question: false,
      status: "Done",
      hasPlan: false,
      planQueued: false,
    };
    const types = (more: Partial<TaskFacts>) =>
      planRecovery([{ ...facts, ...more }]).map(({ type }) => type);
    assert.deepEqual(types({}), ["dequeue"]);
    assert.deepEqual(types({ queued: false }), []);
    assert.deepEqual(types({ queued: false, hasPlan: true }), ["installPlan"]);
    assert.deepEqual(types({ queued: false, hasPlan: true, planQueued: true }), []);
    assert.deepEqual(types({ status: undefined }), []);
    assert.deepEqual(types({ status: undefined, queued: false }), ["offerResume"]);
    assert.deepEqual(types({ status: undefined, question: true }), ["askAgain"]);
    assert.deepEqual(types({ status: undefined, queued: false, recorded: false }), []);
  });

  it("tells of an interruption once, by the task's goal, and never of a task that the user has stopped", async () => {
    const files = new MemoryFileSystem();
    let begun: () => void = () => undefined;
    const working = new Promise<void>((resolve) => (begun = resolve));
    const endless: ModelScript = (_, signal) => {
      begun();
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          reject(new Error("stopped"));
        });
      });
    };
    const first = new NavigatorStage(
      [triages({ route: "direct", expert: "rooroo-developer", goal: "Mend the `sum`" }), endless],
      {
        files,
      },
    );
    void first.navigator.say("mend it");
    await working;
    const [path, mark] = files.paths
      .filter((one) => one.endsWith(".active"))
      .map((one) => [one, files.text(one)])[0]!;
    assert.ok(mark);
    const told = async () => {
      const next = new NavigatorStage([], { files });
      await next.navigator.recover(() => false);
      return next.notices;
    };
    await first.navigator.stop();
    assert.deepEqual(await told(), []);
    // The same, but killed at work.
    await files.replaceFile(path!, mark);
    assert.deepEqual(await told(), ['"Mend the `sum`" was interrupted.']);
    assert.deepEqual(await told(), []);
    assert.equal((await first.navigator.overview()).tasks[0]?.state, "interrupted");
  });

  it("cleans up what writes that were cut off have left", async () => {
    const left = temporaryName("report.json", "00000000ffffffff", "01234567");
    const files = new MemoryFileSystem({ [`.rooroo/tasks/1/${left}`]: "half", [left]: "not ours" });
    await new NavigatorStage(plan, { files }).navigator.recover(() => false);
    assert.deepEqual(files.paths, [left]);
  });

  it("[R-ROO-32] a process that ends at any change of a file loses no task and runs none to Done twice", async () => {
    let points = 0;
    for (let k = 1; ; k++) {
      const files = new MemoryFileSystem();
      const done = new Map<string, number>();
      const ends = endsAtChange(k);
      const killed = { yet: false };
      files.beforeOperation = (operation, path) => {
        try {
          ends(operation);
        } catch (error) {
          killed.yet = true;
          throw error;
        }
        if (operation === "replaceFile" && path.endsWith("report.json")) {
          done.set(path, (done.get(path) ?? 0) + 1);
        }
      };
      const first = new NavigatorStage(plan, { files });
      await first.navigator.say("build it").catch(() => undefined);
      if (!killed.yet) break;
      points++;

      files.beforeOperation = (operation, path) => {
        if (operation === "replaceFile" && path.endsWith("report.json")) {
          done.set(path, (done.get(path) ?? 0) + 1);
        }
      };
      const second: NavigatorStage = new NavigatorStage(plan, { files });
      await second.navigator.recover(() => false);
      for (const task of (await second.navigator.overview()).tasks) {
        if (task.state === "interrupted") await second.navigator.resume(task.taskId);
      }
      await second.navigator.proceed();
      const { tasks: left } = await second.navigator.overview();
      assert.ok(
        left.every(({ state }) => state === "done"),
        `killed at ${k}: ${JSON.stringify(left.map(({ taskId, state }) => [taskId, state]))}`,
      );
      if (left.length > 0) {
        assert.equal(left.length, 3, `killed at ${k}`);
        assert.equal(files.text("One.txt"), "One\n", `killed at ${k}`);
        assert.equal(files.text("Two.txt"), "Two\n", `killed at ${k}`);
      }
      const folders = files.paths.flatMap(
        (path) => /^\.rooroo\/tasks\/([^/]+)/.exec(path)?.[1] ?? [],
      );
      const listed = left.map(({ taskId }) => taskId);
      assert.deepEqual([...new Set(folders)].sort(), listed.sort(), `killed at ${k}`);
      const log = files.text(".rooroo/logs/activity.jsonl") ?? "";
      for (const taskId of listed) {
        const reports = log
          .split("\n")
          .filter(
            (line) => line.includes("EXPERT_REPORT_RECEIVED") && line.includes(`"${taskId}"`),
          );
        assert.equal(reports.length, 1, `killed at ${k}: ${taskId}`);
      }
      for (const [path, times] of done) assert.equal(times, 1, `killed at ${k}: ${path}`);
      assert.equal(second.queueText, "", `killed at ${k}`);
    }
    assert.ok(points > 50, `${points} points were tried`);
  });
});
