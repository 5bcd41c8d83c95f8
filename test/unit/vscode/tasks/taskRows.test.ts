import assert from "node:assert/strict";
import type {
  Overview,
  PlanView,
  TaskView,
} from "../../../../src/core/navigator/overview/overview.js";
import { english } from "../../../../src/core/text/translator.js";
import { taskRows } from "../../../../src/vscode/tasks/taskRows.js";

const nothing: Overview = { tasks: [], problems: [], modeProblems: [], experts: [], plans: [] };
const effort = {
  calls: 3,
  inputTokens: 11_000,
  outputTokens: 1_200,
  cachedTokens: 0,
  workedMs: 185_000,
};
const task = (taskId: string, state: TaskView["state"], more: Partial<TaskView> = {}): TaskView => {
  const mode = "rooroo-idea-sparker";
  return { taskId, mode, goal: `Do ${taskId}`, state, planId: null, changedAt: 0, ...more };
};
const changes = { files: 2, added: 42, removed: 3 };
const now = Date.parse("2026-11-24T08:00:00Z");
const rowsOf = (overview: Partial<Overview>) => taskRows({ ...nothing, ...overview }, english, now);

describe("the rows of a long list of tasks", () => {
  const lists = ["group:queued", "group:done", "plan:done:ROO#PLAN_1", "problems"];
  const paging = new Map(lists.map((list) => [list, 3]));

  it("are those of the first page, of each state and of each plan, and one for the rest", () => {
    const all = ids(100_000);
    const inPlan = (id: string) => task(`S${id}`, "done", { planId: "ROO#PLAN_1" });
    const steps = all.slice(0, 5).map(inPlan);
    const plan: PlanView = {
      planId: "ROO#PLAN_1",
      goal: "Build",
      path: "p",
      tasks: steps.map(({ taskId }) => taskId),
      done: 5,
      state: "done",
      effort,
    };
    const tasks = [...all.map((id) => task(id, "queued")), ...steps];
    const { byId, children } = taskRows({ ...nothing, tasks, plans: [plan] }, english, now, paging);
    const queued = ["0", "1", "2"].map((id) => `task:queued:queued:${id}`);
    assert.deepEqual(children.get("group:queued"), [...queued, "more:group:queued:3"]);
    assert.equal(byId.get("more:group:queued:3")?.hides, 99_997);
    assert.equal(byId.get("group:queued")?.description, "100,000");
    assert.equal(byId.get(queued[2]!)?.context, "task queued hasBefore hasBehind");
    assert.equal(children.get("plan:done:ROO#PLAN_1")?.length, 4);
    assert.equal(byId.size, 2 + 4 + 1 + 4);
  });

  it("begin with the first page of the queue's problems", () => {
    const problems = ids(5).map((line) => ({ line: Number(line), reason: "Bad.", text: "x" }));
    const { children } = taskRows({ ...nothing, problems }, english, now, paging);
    const first = ids(3).map((line) => `problem:${line}`);
    assert.deepEqual(children.get(""), [...first, "more:problems:3"]);
  });
});

const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n));

describe("the rows of the tasks", () => {
  it("group tasks by state, and say what can be done with each", () => {
    const question = { questionId: "q", text: "**Which** one?", suggestions: [] };
    const { byId, children } = rowsOf({
      tasks: [
        task("A", "queued"),
        task("B", "queued", { contextPath: "b/context.md" }),
        task("C", "needsYou", { question }),
        task("D", "needsYou", { message: "Run `date`" }),
        task("E", "done", { reportPath: "e/report.json", hasChanges: true, effort }),
      ],
    });
    assert.deepEqual(children.get(""), ["group:needsYou", "group:queued", "group:done"]);
    assert.equal(byId.get("group:queued")?.spoken, "Queued, 2 tasks");
    const rows = [...byId.values()].filter(({ id }) => id.startsWith("task:"));
    assert.deepEqual(
      rows.map(({ id, description, context, command }) => [id, description, context, command]),
      [
        ["task:needsYou:needsYou:C", "Which one?", "task needsYou answerable", "rooroo.showTask"],
        ["task:needsYou:needsYou:D", "approval", "task needsYou", "rooroo.showTask"],
        ["task:queued:queued:A", "Idea Sparker", "task queued hasBehind", "rooroo.showTask"],
        [
          "task:queued:queued:B",
          "Idea Sparker",
          "task queued hasBefore context",
          "rooroo.showTask",
        ],
        ["task:done:done:E", "Idea Sparker", "task done report changes", "rooroo.showTask"],
      ],
    );
    assert.match(byId.get("task:needsYou:needsYou:C")?.spoken ?? "", /, Which one\?$/);
    // A command is shown as it is.
    assert.deepEqual(byId.get("task:needsYou:needsYou:D")?.tooltip?.[2], { code: "Run `date`" });
    assert.deepEqual(byId.get("task:done:done:E")?.tooltip, [
      "Do E",
      "Done · Idea Sparker · 12k tokens, 3 min",
      { code: "E" },
    ]);
  });

  it("say how long ago a task ended or stopped, and what it cost", () => {
    const ago = (minutes: number) => ({ changedAt: now - minutes * 60_000 });
    const { byId } = rowsOf({
      tasks: [
        task("A", "done", { ...ago(12), effort: { ...effort, costUsd: 0.31 }, changes }),
        task("B", "failed", ago(3 * 60 + 5)),
        task("C", "interrupted", ago(2 * 24 * 60)),
        task("D", "running", ago(1)),
        task("E", "done", { ...ago(30), changes, undone: { left: [] } }),
      ],
    });
    const rows = [...byId.values()].filter(({ id }) => id.startsWith("task:"));
    assert.deepEqual(
      Object.fromEntries(rows.map(({ of = "", description }) => [of, description])),
      {
        A: "12 min ago · $0.31 · +42 −3",
        B: "3 h ago",
        C: "2 days ago",
        D: "Idea Sparker",
        E: "undone · 30 min ago",
      },
    );
    const { spoken, tooltip } = byId.get("task:done:done:A")!;
    assert.equal(spoken, "Done, Do A, Idea Sparker, 12 min ago, +42 −3");
    const ended = new Date(ago(12).changedAt).toLocaleString();
    assert.deepEqual(tooltip?.slice(2, 4), [`Ended ${ended}`, "+42 −3 lines"]);
  });

  it("put a plan with all its tasks where its own state belongs", () => {
    const plan = (state: PlanView["state"]): PlanView => {
      const tasks = ["S1", "S2"];
      return { planId: "P", goal: "Plan it", path: "p.md", tasks, done: 1, state, effort };
    };
    const tasks = [
      task("S2", "queued", { planId: "P" }),
      task("S1", "failed", { planId: "P" }),
      task("X", "failed"),
    ];
    const halted = rowsOf({ tasks, plans: [plan("halted")] });
    assert.deepEqual(halted.children.get("plan:interrupted:P"), [
      "task:interrupted:failed:S1",
      "task:interrupted:queued:S2",
    ]);
    // The failed task of a halted plan needs attention, too.
    assert.equal(halted.byId.get("group:interrupted")?.description, "1");
    const row = halted.byId.get("plan:interrupted:P");
    assert.equal(row?.description, "1/2 · 3 min");
    assert.equal(row.spoken, "Plan: Plan it, 1 of 2 done, 12k tokens, 3 min, Halted");
    const failed = rowsOf({ tasks: tasks.slice(1), plans: [plan("halted")] });
    assert.ok(failed.byId.has("plan:failed:P"));
  });

  it("tell where a plan works, and what landing it will conflict with", () => {
    const planId = "ROO#PLAN_1";
    const made = { root: "/trees/one", bytes: 12_300_000 };
    const plan = { planId, goal: "Plan it", path: "p.md", tasks: ["S1", "S2"], done: 1, effort };
    const { byId } = rowsOf({
      tasks: [
        task("S1", "done", { planId }),
        task("S2", "queued", { planId }),
        task("ROO#TASK_2", "done"),
        task("ROO#TASK_3", "queued"),
      ],
      plans: [{ ...plan, state: "queued" }],
      places: [
        {
          planId,
          phase: "ready",
          made,
          conflicts: [
            { with: null, paths: ["a.ts", "b.ts"] },
            { with: "ROO#PLAN_2", paths: ["c.ts"] },
          ],
        },
        { planId: "ROO#PLAN_2", phase: "landing", made, conflicts: [] },
        { planId: "ROO#PLAN_3", phase: "asked", conflicts: [] },
      ],
    });
    const row = (id: string) => {
      const { description, context } = byId.get(id) ?? {};
      return [description, context];
    };
    assert.deepEqual(row("plan:queued:ROO#PLAN_1"), [
      "1/2 · in a worktree, will conflict · 3 min",
      "plan queued isolated worktree",
    ]);
    assert.deepEqual(byId.get("plan:queued:ROO#PLAN_1")?.tooltip?.slice(2, 5), [
      "Worktree: /trees/one, 13 MB",
      "Will conflict with your own changes in a.ts, b.ts",
      "Will conflict with plan ROO#PLAN_2 in c.ts",
    ]);
    assert.deepEqual(row("task:queued:queued:S2"), ["Idea Sparker", "task queued hasBehind"]);
    assert.deepEqual(row("task:done:done:ROO#TASK_2"), [
      "landing was interrupted · Idea Sparker",
      "task done isolated worktree",
    ]);
    assert.deepEqual(row("task:queued:queued:ROO#TASK_3"), [
      "in a worktree · Idea Sparker",
      "task queued hasBefore isolated",
    ]);
  });

  it("list what waits apart from a plan whose other tasks run", () => {
    const tasks = [task("S1", "running", { planId: "P" }), task("S2", "needsYou", { planId: "P" })];
    const ids = ["S1", "S2"];
    const plan = { planId: "P", goal: "Plan it", path: "p.md", tasks: ids, done: 0, effort };
    const { children } = rowsOf({ tasks, plans: [{ ...plan, state: "running" }] });
    assert.deepEqual(children.get("group:needsYou"), ["task:needsYou:needsYou:S2"]);
    assert.deepEqual(children.get("plan:running:P"), [
      "task:running:running:S1",
      "task:running:needsYou:S2",
    ]);
  });

  it("mark a queued task that seems to be done already", () => {
    const { byId } = rowsOf({
      tasks: [task("A", "queued", { seemsDone: true }), task("B", "queued")],
    });
    const marked = byId.get("task:queued:queued:A");
    assert.deepEqual(
      [marked?.icon?.name, marked?.description, marked?.spoken],
      ["warning", "seems done", "Queued, seems done, Do A, Idea Sparker"],
    );
    assert.equal(byId.get("task:queued:queued:B")?.description, "Idea Sparker");
  });

  it("end with one folded group of earlier work, whose files open by a click and of which nothing can be run", () => {
    const context = ".rooroo/tasks/OLD/context.md";
    const report = ".rooroo/tasks/OLD/out/report.md";
    const planPath = ".rooroo/plans/OLD_plan.md";
    const log = ".rooroo/logs/activity.jsonl";
    const { byId, children } = rowsOf({
      tasks: [task("A", "done")],
      earlier: [
        { taskId: "OLD", goal: "Look at the valve", files: [context, report], planPath },
        { taskId: "OLDER", goal: "", files: [] },
      ],
      earlierFiles: [log],
    });
    assert.deepEqual(children.get(""), ["group:done", "group:earlier"]);
    const group = byId.get("group:earlier");
    assert.deepEqual([group?.folding, group?.description], ["folded", "2"]);
    const below = children.get("group:earlier")!.map((id) => byId.get(id)!);
    assert.deepEqual(
      below.map(({ label, folding, command }) => [label, folding, command]),
      [
        ["Look at the valve", "folded", undefined],
        ["OLDER", "folded", undefined],
        ["activity.jsonl", undefined, "rooroo.openEarlierFile"],
      ],
    );
    const files = children.get("earlier:OLD")!.map((id) => byId.get(id)!);
    assert.deepEqual(
      files.map(({ argument, command }) => [argument, command]),
      [context, report, planPath].map((path) => [path, "rooroo.openEarlierFile"]),
    );
  });

  it("begin with the queue's problems, which open at their lines", () => {
    const problem = { line: 3, reason: "no such expert", text: '{"taskId":1}' };
    const { byId } = rowsOf({ problems: [problem] });
    const row = byId.get("problem:3");
    assert.equal(row?.spoken, "Line 3 of the queue is invalid: no such expert");
    assert.deepEqual([row.command, row.argument], ["rooroo.openQueue", 3]);
  });
});
