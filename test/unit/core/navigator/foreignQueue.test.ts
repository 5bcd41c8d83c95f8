import assert from "node:assert/strict";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";

const queue = ".rooroo/queue.jsonl";
const folder = (id: string) => `.rooroo/tasks/${id}`;

function line(taskId: string, more: object = {}): string {
  return `${JSON.stringify({ taskId, suggested_mode: "rooroo-developer", ...more })}\n`;
}

describe("a queue that other tools have written", () => {
  it("[R-ROO-25] takes the goal of a line without one from its context file, and both of a doubled line go", async () => {
    const id = "ROO#SUB_TASK_7-S1_7";
    const one = line(id, { contextPath: `${folder(id)}/context.md`, status: "pending" });
    const stage = new NavigatorStage(() => completes(), {
      files: {
        [queue]: one + one,
        [`${folder(id)}/context.md`]:
          "# Part 7\n\n## Goal\n\nMeasure the pump.\n\n## Notes\n\nNone.\n",
      },
    });
    const { tasks, problems } = await stage.navigator.overview();
    assert.deepEqual(
      tasks.map(({ goal }) => goal),
      ["Measure the pump."],
    );
    assert.deepEqual(problems, []);
    await stage.navigator.proceed();
    assert.equal(stage.queueText, "");
    assert.equal(stage.started.length, 1);
  });

  it("[R-ROO-25] passes over a line without a goal whose context file says nothing", async () => {
    const stage = new NavigatorStage([], { files: { [queue]: line("T_1") } });
    const { tasks, problems } = await stage.navigator.overview();
    assert.deepEqual([tasks.length, problems.length], [0, 1]);
  });

  it("[R-ROO-7] is not called empty while it has lines that cannot be used, and the log has their reasons in words", async () => {
    const text = `${line("a/b", { goal_for_expert: "Go" })}{torn\n`;
    const stage = new NavigatorStage([], { files: { [queue]: text } });
    const outcome = await stage.navigator.proceed();
    assert.equal(outcome.status, "waiting");
    assert.ok(stage.notices.every((notice) => !notice.includes("queue is empty")));
    assert.match(stage.notices.at(-1) ?? "", /only lines that cannot be used, 2 of them/);
    assert.equal(stage.queueText, text);
    const log = stage.files.text(".rooroo/logs/activity.jsonl") ?? "";
    const reasons = log
      .split("\n")
      .filter((one) => one !== "")
      .flatMap(
        (one) => (JSON.parse(one) as { details: { reason?: unknown } }).details.reason ?? [],
      );
    assert.ok(reasons.length === 2 && reasons.every((reason) => typeof reason === "string"));
  });

  describe("with tasks that were done before it came here", () => {
    const files = () => ({
      [queue]:
        line("ROO#TASK_A", { goal_for_expert: "First" }) +
        line("ROO#TASK_B", { goal_for_expert: "Second", status: "Completed" }) +
        line("ROO#TASK_C", { goal_for_expert: "Third" }),
      [`${folder("ROO#TASK_A")}/context.md`]: "First",
      [`${folder("ROO#TASK_A")}/parts/report.md`]: "Done long ago.",
      [`${folder("ROO#TASK_C")}/context.md`]: "Third",
    });

    it("does not ask about one that has begun here and left files", async () => {
      const own = `${folder("ROO#TASK_F")}/report.md`;
      const stage = new NavigatorStage([calls("write_to_file", { path: own, content: "a" })], {
        files: { [queue]: line("ROO#TASK_F", { goal_for_expert: "Sixth" }) },
        turns: 1,
      });
      await stage.navigator.proceed();
      stage.files.put(queue, line("ROO#TASK_F", { goal_for_expert: "Sixth" }));
      const { tasks } = await stage.navigator.overview();
      assert.deepEqual([tasks[0]?.taskId, tasks[0]?.seemsDone], ["ROO#TASK_F", undefined]);
      await stage.navigator.proceed();
      assert.ok(stage.notices.every((text) => !text.includes("seem")));
    });

    it("does not take the context file for a result, whatever its name", async () => {
      const brief = `${folder("ROO#TASK_E")}/brief.md`;
      const stage = new NavigatorStage([completes()], {
        files: { [queue]: line("ROO#TASK_E", { context_path: brief }), [brief]: "# Fifth" },
      });
      assert.equal((await stage.navigator.proceed()).status, "done");
    });

    it("marks them in the list", async () => {
      const more = {
        [queue]: files()[queue] + line("ROO#TASK_D", { goal_for_expert: "Fourth", status: "done" }),
      };
      const stage = new NavigatorStage([], { files: { ...files(), ...more } });
      const { tasks } = await stage.navigator.overview();
      assert.deepEqual(
        tasks.map(({ taskId, seemsDone = false }) => `${taskId} ${seemsDone}`),
        ["ROO#TASK_A true", "ROO#TASK_B true", "ROO#TASK_C false", "ROO#TASK_D true"],
      );
    });

    it("asks once about all of them before one runs", async () => {
      const stage = new NavigatorStage(() => completes(), { files: files() });
      assert.equal((await stage.navigator.proceed()).status, "waiting");
      assert.deepEqual(stage.started, []);
      const asked = stage.events.flatMap((event) =>
        event.type === "notice" && event.text.includes("seem to be done") ? [event] : [],
      );
      assert.equal(asked.length, 1);
      assert.match(asked[0]?.text ?? "", /^2 queued[^]*ROO#TASK_A[^]*ROO#TASK_B/);
      assert.deepEqual(
        asked[0]?.steps.map((step) => step.type === "action" && step.action),
        ["again", "drop"].map((done) => ({ action: "proceed", one: false, done })),
      );
    });

    it("runs them again when that is said, and does not ask anew", async () => {
      const stage = new NavigatorStage(() => completes(), { files: files() });
      await stage.navigator.proceed({ done: "again" });
      assert.deepEqual(stage.started, ["ROO#TASK_A", "ROO#TASK_B", "ROO#TASK_C"]);
    });

    it("takes them out when that is said, runs the others, and leaves their folders", async () => {
      const stage = new NavigatorStage(() => completes(), { files: files() });
      await stage.navigator.proceed({ done: "drop" });
      assert.deepEqual(stage.started, ["ROO#TASK_C"]);
      assert.equal(stage.queueText, "");
      assert.equal(stage.files.text(`${folder("ROO#TASK_A")}/parts/report.md`), "Done long ago.");
    });
  });

  it("stands beside earlier work, which is listed with its goal, files and plan, and of which nothing is carried out", async () => {
    const earlier = "ROO#SUB_ROO#TASK_7-S001_7";
    const files = {
      ".rooroo/plans/ROO#TASK_7_plan_overview.md": "# Plan",
      [`${folder(earlier)}/context.md`]: "# Look at the valve\n\nIt drips.",
      [`${folder(earlier)}/out/report.md`]: "It is worn.",
      [`${folder("EMPTY")}/transcript.jsonl`]: "",
      ".rooroo/plans/another_plan.md": "# Another",
      ".rooroo/logs/activity.jsonl": "{}\n",
    };
    const stage = new NavigatorStage([], { files });
    await stage.navigator.recover(() => false);
    const { tasks, earlier: listed, earlierFiles } = await stage.navigator.overview();
    assert.deepEqual(tasks, []);
    assert.deepEqual(earlierFiles, [
      ".rooroo/plans/another_plan.md",
      ".rooroo/logs/activity.jsonl",
    ]);
    assert.deepEqual(listed, [
      {
        taskId: earlier,
        goal: "Look at the valve",
        files: [`${folder(earlier)}/context.md`, `${folder(earlier)}/out/report.md`],
        planPath: ".rooroo/plans/ROO#TASK_7_plan_overview.md",
      },
    ]);
    await stage.navigator.proceed();
    assert.deepEqual([stage.started, stage.model.requests], [[], []]);
  });

  it("gives no protected or secret file to an expert as its context", async () => {
    for (const path of [
      ".vscode/settings.json",
      ".rooroo/conversations/a.jsonl",
      ".env",
      "deploy/server.pem",
      ".git/config",
    ]) {
      const files = {
        [path]: "token",
        [queue]: line("T_1", { goal_for_expert: "Go", context_file: path }),
      };
      const stage = new NavigatorStage(() => completes(), { files });
      assert.equal((await stage.navigator.proceed()).status, "failed");
      assert.deepEqual(stage.model.requests, [], path);
      assert.match(stage.notices.at(-1) ?? "", /so it is not given to an expert/);
    }
  });

  it("is told once of records that git tracks, with what can be done", async () => {
    const files = new MemoryFileSystem({ ".rooroo/locks/tracked": "" });
    const told = async () => {
      const stage = new NavigatorStage([], { files });
      await stage.navigator.recover(() => false);
      return stage.notices.filter((text) => text.startsWith("Git tracks")).length;
    };
    assert.deepEqual([await told(), await told()], [1, 0]);
  });

  it("[R-ROO-26] keeps the order of the tasks of one parent, also where several may run", async () => {
    const { nextEntries } = await import("../../../../src/core/navigator/running/queueRunner.js");
    const entry = (taskId: string, parentTaskId: string | null) => ({
      taskId,
      parentTaskId,
      mode: "rooroo-developer",
      goal: taskId,
      contextPath: "",
      planId: null,
      autoProceed: true,
    });
    const all = [entry("A1", "A"), entry("A2", "A"), entry("B", null), entry("C", null)];
    assert.deepEqual(
      nextEntries(all, new Set(["A1"])).map(({ taskId }) => taskId),
      ["B", "C"],
    );
  });
});
