import assert from "node:assert/strict";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const queuePath = ".rooroo/queue.jsonl";
const plans = triages({ route: "plan", goal: "Build it" });
const step = (goal: string) => ({ suggested_mode: "rooroo-developer", goal_for_expert: goal });
const planOf = (...goals: string[]) => completes({ queue_tasks_json_lines: goals.map(step) });
const fails = completes({ status: "Failed", message: "No" });
/** Lines of others, in forms that a rewrite would change. */
const others =
  'no JSON\r\n{ "taskId":"ROO#TASK_OLD",  "suggested_mode":"rooroo-analyzer","goal_for_expert":"Old","extra":1}';

interface Line {
  readonly event_type: string;
  readonly task_id?: string;
  readonly details: unknown;
}

function abortedIn(stage: NavigatorStage): unknown[] {
  return (stage.files.text(".rooroo/logs/activity.jsonl") ?? "")
    .split("\n")
    .filter((text) => text.includes("TASK_ABORTED"))
    .map((text) => JSON.parse(text) as Line)
    .map(({ task_id, details }) => [task_id, details]);
}

/** Returns the button with the label that was offered last. */
function offered(stage: NavigatorStage, label: string) {
  const steps = stage.events.flatMap((event) => (event.type === "notice" ? event.steps : []));
  const found = steps.findLast((one) => one.label === label);
  assert.ok(found?.type === "action", label);
  return found.action;
}

describe("a plan that is made anew", () => {
  it("takes what waits in the earlier one out of the queue, tells and logs it, and leaves all other lines", async () => {
    const stage = new NavigatorStage(
      [plans, planOf("One", "Two", "Three"), fails, planOf("Anew"), completes(), completes()],
      { files: { [queuePath]: others } },
    );
    await stage.navigator.say("build it");
    const [, failed] = stage.started;
    const [, two, three] = [1, 2, 3].map((n) => failed!.replace(/S001$/, `S00${n}`));
    assert.ok(stage.queueText.includes(two!) && stage.queueText.includes(three!));
    await stage.navigator.act(offered(stage, "Plan It Instead"));
    assert.deepEqual(stage.started.slice(2).length, 3);
    assert.ok(!stage.started.includes(two!) && !stage.started.includes(three!));
    const details = { removedFromQueue: true, plannedAnewFrom: failed };
    assert.deepEqual(abortedIn(stage), [
      [two, details],
      [three, details],
    ]);
    const told = stage.notices.find((text) => text.startsWith("It is planned anew"));
    assert.equal(
      told,
      `It is planned anew, so 2 tasks of the earlier plan were taken out of the queue:\n\n- \`${two}\` (rooroo-developer): Two\n- \`${three}\` (rooroo-developer): Three`,
    );
    // The analyzer's line, which is not of the plan, has been worked off; what cannot be read stays.
    assert.equal(stage.queueText, "no JSON\r\n");
  });

  it("keeps each byte of the lines that are not of the plan", async () => {
    const stage = new NavigatorStage([plans, planOf("One", "Two"), fails, fails], {
      files: { [queuePath]: others },
    });
    await stage.navigator.say("build it");
    await stage.navigator.act(offered(stage, "Plan It Instead"));
    assert.equal(stage.queueText, others);
  });

  it("takes out those that a planner has left waiting because some of its tasks could not be read", async () => {
    const lost = completes({ queue_tasks_json_lines: [step("One"), "then test it"] });
    const stage = new NavigatorStage([plans, lost, lost, fails]);
    await stage.navigator.say("build it");
    assert.match(stage.queueText, /One/);
    await stage.navigator.act(offered(stage, "Plan Anew"));
    assert.equal(stage.queueText, "");
    assert.equal(abortedIn(stage).length, 1);
  });

  it("takes out lines of the same parent that name no plan, and none of another parent", async () => {
    const line = (id: string, parent: string | null) =>
      `${JSON.stringify({ taskId: `ROO#SUB_${id}`, parentTaskId: parent, suggested_mode: "rooroo-developer", goal_for_expert: id })}\n`;
    const [mine, other] = ["ROO#TASK_P", "ROO#TASK_Q"];
    const alone = line("D", null);
    const stage = new NavigatorStage([fails, fails], {
      files: {
        [queuePath]: line("A", mine) + line("B", mine) + line("C", other) + alone,
      },
    });
    await stage.navigator.proceed();
    await stage.navigator.act(offered(stage, "Plan It Instead"));
    assert.equal(stage.queueText, line("C", other) + alone);
  });

  it("leaves a task of the earlier plan that has begun", async () => {
    const stage: NavigatorStage = new NavigatorStage([
      plans,
      planOf("One", "Two"),
      fails,
      calls("ask_followup_question", { question: "Which?", suggestions: [] }),
      fails,
    ]);
    await stage.navigator.say("build it");
    const again = offered(stage, "Plan It Instead");
    await stage.navigator.proceed();
    await stage.navigator.act(again);
    assert.match(stage.queueText, /Two/);
    assert.deepEqual(abortedIn(stage), []);
  });
});
