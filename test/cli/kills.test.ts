import assert from "node:assert/strict";
import type { HttpModelRequest } from "../fakes/httpModel.js";
import { notes, plans, plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const goals = ["One", "Two", "Three"];
const script = plays(
  { route: "plan", goal: "Build it" },
  { "rooroo-planner": plans(...goals), "rooroo-developer": notes },
);

const isWhole = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;

/** Requests of a whole run: triage, the planner's two turns, and two of each task's. */
const requests = 1 + 2 + 2 * goals.length;
/** Calls of tools that a whole run shows the end of. */
const toolCalls = 1 + goals.length;

/** 0-based: at a model request, when a tool's result is shown, when a task's end is. */
type Moment = { request: number } | { toolResult: number } | { taskEnd: number };

async function killedPlan(moment: Moment): Promise<Stage> {
  const kill = { now: (): void => undefined };
  const stage = await Stage.open((request: HttpModelRequest, index) => {
    if ("request" in moment && index === moment.request) kill.now();
    return script(request, index);
  });
  const work = stage.start("ask", "Build it", "--json");
  kill.now = () => {
    work.kill("SIGKILL");
  };
  if (!("request" in moment)) {
    if ("toolResult" in moment) await work.prints(/"toolEnded"/, moment.toolResult + 1);
    else await work.prints(/"sessionEnded"/, moment.taskEnd + 1);
    kill.now();
  }
  assert.equal((await work.ended).signal, "SIGKILL");
  return stage;
}

/** Does what a person does who finds it so: looks at the tasks, and says what the product offers. */
async function finish(stage: Stage): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const tasks = await stage.tasks();
    const interrupted = tasks.find(({ state }) => state === "interrupted");
    const { code, stdout, stderr } =
      tasks.length === 0
        ? await stage.run("ask", "Build it")
        : await stage.run(...(interrupted ? ["resume", interrupted.taskId] : ["proceed"]));
    assert.equal(code, 0, stdout + stderr);
    const left = (await stage.tasks()).filter(({ state }) => state !== "done");
    if (left.length === 0) return;
  }
  assert.fail("the plan does not come to its end");
}

async function checkAllDoneOnce(stage: Stage): Promise<void> {
  const tasks = await stage.tasks();
  assert.deepEqual(new Set(tasks.map(({ state }) => state)), new Set(["done"]));
  const planned = tasks.filter(({ taskId }) => taskId.startsWith("ROO#SUB_"));
  assert.equal(planned.length, goals.length);
  assert.equal(tasks.length, goals.length + 1);
  for (const { taskId } of planned) {
    assert.match(await stage.read(`.rooroo/tasks/${taskId}/notes.md`), /^(One|Two|Three)\n$/);
  }
  const reports = (await stage.activity("EXPERT_REPORT_RECEIVED")).map(({ task_id }) => task_id);
  assert.equal(new Set(reports).size, reports.length, "a task was reported twice");
  assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
}

describe("[R-ROO-32] a plan whose process is killed", () => {
  afterEach(closeStages);

  /** Every moment, or one of each kind: the triage, the planner, the first task and the last, and what they have shown. */
  const moments: Moment[] = isWhole
    ? [
        ...Array.from({ length: requests }, (_, request) => ({ request })),
        ...Array.from({ length: toolCalls }, (_, toolResult) => ({ toolResult })),
        // After the last one there is nothing left to kill.
        ...Array.from({ length: goals.length }, (_, taskEnd) => ({ taskEnd })),
      ]
    : [
        ...[0, 2, 3, requests - 1].map((request) => ({ request })),
        ...[0, toolCalls - 1].map((toolResult) => ({ toolResult })),
        ...[0, goals.length - 1].map((taskEnd) => ({ taskEnd })),
      ];
  // Two at a time: a test spends most of its time in processes that start.
  for (let at = 0; at < moments.length; at += 2) {
    const pair = moments.slice(at, at + 2);
    it(`loses no task and runs none twice: ${pair.map((one) => JSON.stringify(one)).join(", ")}`, async () => {
      await Promise.all(
        pair.map(async (moment) => {
          const stage = await killedPlan(moment);
          const queue = await stage.json("queue", "list");
          assert.deepEqual(queue["problems"], []);
          await finish(stage);
          await checkAllDoneOnce(stage);
        }),
      );
    });
  }
});
