import assert from "node:assert/strict";
import { asks, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const queuePath = ".rooroo/queue.jsonl";
const line = (id: string, mode = "rooroo-developer"): string =>
  `{"taskId":"ROO#TASK_${id}","suggested_mode":"${mode}","goal_for_expert":"${id}"}\n`;
const step = (goal: string) => ({ suggested_mode: "rooroo-developer", goal_for_expert: goal });
const plans = triages({ route: "plan", goal: "Build it" });
const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });

interface Line {
  readonly event_type: string;
  readonly task_id?: string;
  readonly details: { readonly code: string; readonly text: string };
}

/** Returns what was announced, after the events and the lines of the log were compared. */
function announcedIn(stage: NavigatorStage): string[] {
  const log = stage.files.text(".rooroo/logs/activity.jsonl") ?? "";
  const lines = log
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => JSON.parse(text) as Line)
    .filter(({ event_type }) => event_type === "ANNOUNCED");
  assert.deepEqual(
    stage.announced.map(({ code, text, taskId }) => [code, text, taskId]),
    lines.map(({ details, task_id }) => [details.code, details.text, task_id]),
  );
  return lines.map(({ details }) => `${details.code}: ${details.text}`);
}

async function said(
  scripts: readonly ModelScript[] | ModelScript,
  queue = "",
  act = (stage: NavigatorStage) => stage.navigator.say("do it"),
): Promise<NavigatorStage> {
  const stage = new NavigatorStage(scripts, { files: queue === "" ? {} : { [queuePath]: queue } });
  await act(stage);
  return stage;
}

describe("an announcement is an event and a line of the log, in the protocol's words to the letter", () => {
  it("[R-ROO-4] of a plan that is made, queued and worked off", async () => {
    const tasks = completes({ queue_tasks_json_lines: [step("One"), step("Two")] });
    const stage = await said([plans, tasks, completes({ message: "1" }), completes()]);
    const [planner, one, two] = stage.started;
    assert.deepEqual(announcedIn(stage), [
      `plan_requested: Request requires planning. ID: \`${planner}\`. Consulting \`rooroo-planner\`...`,
      "plan_added: Adding 2 planned tasks to queue...",
      `queued_task_begins: Processing queued task: ${one}. Delegating to rooroo-developer...`,
      "queue_updated: Finalizing queued task... Updating queue...",
      `task_ended: Task \`${one}\` (rooroo-developer) status: \`Done\`. 1`,
      "chain_continues: Continuing with next task...",
      `queued_task_begins: Processing queued task: ${two}. Delegating to rooroo-developer...`,
      "queue_updated: Finalizing queued task... Updating queue...",
      `task_ended: Task \`${two}\` (rooroo-developer) status: \`Done\`. All good`,
    ]);
  });

  it("[R-ROO-4] of a planner that asks, one that advises and one that fails", async () => {
    const [question, taskId] = ["Which?", "ROO#TASK_20250102030405_000003"];
    const first = `plan_requested: Request requires planning. ID: \`${taskId}\`. Consulting \`rooroo-planner\`...`;
    assert.deepEqual(announcedIn(await said([plans, asks(question)])), [
      first,
      "planner_unclear: The planner needs clarification to proceed: Which?",
      "planner_asks: The planner requires clarification: Which?",
    ]);
    const advice_details = { suggested_mode: null, refined_goal: "Just do it" };
    const advises = completes({ status: "Advice", message: "One step", advice_details });
    assert.deepEqual(announcedIn(await said([plans, advises])), [
      first,
      "planner_advises: Planner advises: One step",
    ]);
    const fails = completes({ status: "Failed", message: "No" });
    assert.deepEqual(announcedIn(await said([plans, fails])), [
      first,
      `task_ended: Task \`${taskId}\` (rooroo-planner) status: \`Failed\`. No`,
    ]);
  });

  it("[R-ROO-4] of advice that a queued planner gives, which takes its place in the queue", async () => {
    const advice_details = { suggested_mode: "rooroo-developer", refined_goal: "Just do it" };
    const advises = completes({ status: "Advice", message: "One step", advice_details });
    const stage = await said([advises, completes()], line("P", "rooroo-planner"), (one) =>
      one.navigator.proceed(),
    );
    const advised = stage.started[1]!;
    assert.deepEqual(announcedIn(stage), [
      "queue_proceeds: Proceeding to process next task from queue...",
      "queued_task_begins: Processing queued task: ROO#TASK_P. Delegating to rooroo-planner...",
      "planner_advises: Planner advises: One step",
      `task_to_be_queued: Task \`${advised}\` for \`rooroo-developer\` will be added to the queue.`,
      `task_added: Adding task ${advised} to queue...`,
      "queue_updated: Finalizing queued task... Updating queue...",
      "chain_continues: Continuing with next task...",
      `queued_task_begins: Processing queued task: ${advised}. Delegating to rooroo-developer...`,
      "queue_updated: Finalizing queued task... Updating queue...",
      `task_ended: Task \`${advised}\` (rooroo-developer) status: \`Done\`. All good`,
    ]);
  });

  it("[R-ROO-4] of a direct task that asks, and is done with the answer", async () => {
    const stage = await said([direct, asks("Which?"), completes()]);
    const taskId = stage.started[0]!;
    await stage.navigator.answer(taskId, "This");
    assert.deepEqual(announcedIn(stage), [
      `direct_task_begins: Understood. Initiating task \`${taskId}\` directly with \`rooroo-developer\`...`,
      `task_unclear: Task ${taskId} requires clarification from rooroo-developer: Which?`,
      `task_asks: Please provide clarification for task ${taskId} (rooroo-developer): Which?`,
      `task_ended: Task \`${taskId}\` (rooroo-developer) status: \`Done\`. All good`,
    ]);
  });

  it("[R-ROO-4] of a task that is queued, which the user has not told to proceed", async () => {
    const queues = triages({ route: "queue", expert: "rooroo-developer", goal: "Later" });
    const stage = await said([queues, completes({ status: "Failed", message: "No" })], line("B"));
    const taskId = stage.started[0]!;
    assert.deepEqual(announcedIn(stage), [
      `task_to_be_queued: Task \`${taskId}\` for \`rooroo-developer\` will be added to the queue.`,
      `task_added: Adding task ${taskId} to queue...`,
      `queued_task_begins: Processing queued task: ${taskId}. Delegating to rooroo-developer...`,
      "queue_updated: Finalizing queued task... Updating queue...",
      `task_ended: Task \`${taskId}\` (rooroo-developer) status: \`Failed\`. No`,
    ]);
  });

  it("[R-ROO-4] of a brainstorm, a word that asks for nothing, an unclear request and an empty queue", async () => {
    const sparks = triages({ route: "brainstorm", goal: "Names" });
    assert.deepEqual(
      announcedIn(await said([sparks, completes({ message: "Names" })])).slice(0, 1),
      ["brainstorm_begins: Switching to rooroo-idea-sparker..."],
    );
    const thanked = await said([triages({ route: "acknowledge", reply: "You're welcome." })]);
    assert.deepEqual(announcedIn(thanked), [
      "acknowledged: Acknowledged. Ready for your next command.",
    ]);
    assert.deepEqual(thanked.notices, ["You're welcome."]);
    const unclear = triages({ route: "clarify", question: "Fix which of them?" });
    assert.deepEqual(announcedIn(await said([unclear])), [
      "request_unclear: I need more information to proceed. Fix which of them?...",
    ]);
    const empty = await said([], "", (stage) => stage.navigator.say("proceed"));
    assert.deepEqual(announcedIn(empty), ["queue_empty: Task queue is empty."]);
    assert.deepEqual(empty.notices, ["The queue is empty."]);
  });

  it("[R-ROO-4] of a status that no expert may report with", async () => {
    const odd = await said((request) =>
      request.forcedTool ? direct : completes({ status: "Half done", message: "Hm." }),
    );
    const taskId = odd.started[0]!;
    assert.deepEqual(announcedIn(odd).slice(1), [
      `status_unexpected: Task \`${taskId}\` (rooroo-developer) returned an unexpected status: \`Half done\`. Hm.`,
    ]);
  });

  it("is for programs: no notice has these words", async () => {
    const stage = await said([direct, completes()]);
    for (const { text } of stage.announced) {
      assert.ok(!stage.notices.some((notice) => notice.includes(text)), text);
    }
  });
});
