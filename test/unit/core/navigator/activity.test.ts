import assert from "node:assert/strict";
import { asks, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const queuePath = ".rooroo/queue.jsonl";
const line = (id: string, fields: object = {}): string =>
  `${JSON.stringify({ taskId: `ROO#TASK_${id}`, suggested_mode: "rooroo-developer", goal_for_expert: id, ...fields })}\n`;
const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });

interface Line {
  readonly event_type: string;
  readonly task_id?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Returns the lines of the activity log that are no announcements, as type, task and details. */
function logOf(stage: NavigatorStage): (readonly [string, string, unknown])[] {
  const log = stage.files.text(".rooroo/logs/activity.jsonl") ?? "";
  return log
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line)
    .filter(({ event_type }) => event_type !== "ANNOUNCED")
    .map(({ event_type, task_id = "", details }) => [event_type, task_id, details] as const);
}

const typesOf = (stage: NavigatorStage): string[] =>
  logOf(stage).map(([type, id]) => `${type} ${id.replace("ROO#TASK_", "")}`.trim());

describe("the activity log tells what happened, once", () => {
  it("[R-ROO-29] says where and why a chain halts, and how many tasks are left", async () => {
    const files = { [queuePath]: line("A") + line("B") };
    const failed = new NavigatorStage([completes({ status: "Failed", message: "No" })], { files });
    await failed.navigator.proceed();
    assert.deepEqual(typesOf(failed), [
      "TASK_DELEGATED A",
      "EXPERT_REPORT_RECEIVED A",
      "TASK_DEQUEUED A",
      "SYSTEM_HALT A",
    ]);
    assert.deepEqual(logOf(failed).at(-1)?.[2], { reason: "Failed", left: 1 });

    const asking = new NavigatorStage([asks("Which?"), completes(), asks("And?")], { files });
    await asking.navigator.proceed();
    await asking.navigator.answer("ROO#TASK_A", "This");
    assert.deepEqual(typesOf(asking), [
      "TASK_DELEGATED A",
      "SYSTEM_HALT A",
      "TASK_RESUMED A",
      "EXPERT_REPORT_RECEIVED A",
      "TASK_DEQUEUED A",
      "TASK_DELEGATED B",
      "SYSTEM_HALT B",
    ]);
    assert.deepEqual(logOf(asking).at(-1)?.[2], { reason: "waiting", left: 1 });
  });

  it("[R-ROO-29] halts once for tasks that ran beside one another", async () => {
    const files = { [queuePath]: line("A") + line("B") + line("C") };
    const fails = completes({ status: "Failed", message: "No" });
    const stage = new NavigatorStage([fails, fails], { files, concurrency: 2 });
    await stage.navigator.proceed();
    assert.equal(typesOf(stage).filter((one) => one.startsWith("TASK_DEQUEUED")).length, 2);
    assert.equal(typesOf(stage).filter((one) => one.startsWith("SYSTEM_HALT")).length, 1);
  });

  it("[R-ROO-29] calls delegated only what an expert has begun, and says why another could not start", async () => {
    const lost = { context_file_path: ".rooroo/tasks/ROO#TASK_A/lost.md" };
    const stage = new NavigatorStage([completes()], {
      files: { [queuePath]: line("A", lost) + line("B") },
    });
    await stage.navigator.proceed();
    assert.deepEqual(typesOf(stage), [
      "TASK_DELEGATION_FAILED A",
      "TASK_DELEGATED B",
      "EXPERT_REPORT_RECEIVED B",
      "TASK_DEQUEUED B",
    ]);
    assert.match(JSON.stringify(logOf(stage)[0]), /"expert":"rooroo-developer".*is missing/);
  });

  it("[R-ROO-29] calls a task that was stopped, and can be resumed, neither aborted nor begun twice", async () => {
    const stage: NavigatorStage = new NavigatorStage([
      direct,
      () => {
        void stage.navigator.stop();
        return completes();
      },
      completes(),
    ]);
    await stage.navigator.say("fix it");
    await stage.navigator.resume(stage.started[0]!);
    assert.deepEqual(
      logOf(stage).map(([type]) => type),
      [
        "TRIAGE_DECIDED",
        "TASK_DELEGATED",
        "TASK_STOPPED",
        "TASK_RESUMED",
        "EXPERT_REPORT_RECEIVED",
        "AWAITING_USER_COMMAND",
      ],
    );
  });

  it("[R-ROO-29] says that a plan waits for the user before its task", async () => {
    const held = { plan_id: "ROO#PLAN_1", auto_proceed_plan: false };
    const files = { [queuePath]: line("A", { plan_id: "ROO#PLAN_1" }) + line("B", held) };
    const stage = new NavigatorStage([completes()], { files });
    await stage.navigator.proceed();
    assert.deepEqual(typesOf(stage).slice(-2), ["TASK_DEQUEUED A", "AWAITING_USER_COMMAND B"]);
  });

  it("[R-ROO-29] calls aborted what the user takes out of the queue", async () => {
    const stage = new NavigatorStage([]);
    const taskId = await stage.navigator.enqueue({ goal: "x", expert: "rooroo-developer" });
    await stage.navigator.queue.remove(taskId);
    assert.deepEqual(
      logOf(stage).map(([type]) => type),
      ["TASK_QUEUED", "TASK_ABORTED"],
    );
  });
});
