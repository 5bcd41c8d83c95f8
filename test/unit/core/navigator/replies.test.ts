import assert from "node:assert/strict";
import type { LanguageModel } from "../../../../src/core/ports/model.js";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { ScriptedModel } from "../../../fakes/scriptedModel.js";

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });
const plans = triages({ route: "plan", goal: "Build it" });
const one = { suggested_mode: "rooroo-developer", goal_for_expert: "One" };
const two = { suggested_mode: "developer", goal_for_expert: "Two" };
const queuePath = ".rooroo/queue.jsonl";
const queued = (id: string, more: object = {}) =>
  `${JSON.stringify({
    taskId: `ROO#TASK_${id}`,
    suggested_mode: "rooroo-developer",
    goal_for_expert: id,
    ...more,
  })}\n`;

/** Returns the labels of all steps that are offered. */
const offered = (stage: NavigatorStage) =>
  stage.events.flatMap((event) =>
    event.type === "notice" ? event.steps.map(({ label }) => label) : [],
  );

/** Returns a stage on which the planner submits this, again and again, and all other experts are done. */
const planned = (fields: Record<string, unknown>) =>
  new NavigatorStage((request) => {
    if (request.forcedTool) return plans;
    return request.messages[1]!.content.includes("PLAN_TASK") ? completes(fields) : completes();
  });

describe("a report in other words", () => {
  for (const status of ["Completed", "success", "完成", "DONE"]) {
    it(`[R-ROO-20] costs no call more than a well-behaved one: ${status}`, async () => {
      const stage = new NavigatorStage([direct, completes({ status })]);
      assert.equal((await stage.navigator.say("fix it")).status, "done");
      assert.equal(stage.model.requests.length, 2);
      assert.deepEqual(stage.ends, ["Done: All good"]);
    });
  }

  it("[R-ROO-20] leaves the queue as it is where the status is none: it is sent back once, told and logged", async () => {
    const text = queued("A") + queued("B");
    const stage = new NavigatorStage(() => completes({ status: "Half done" }), {
      files: { [queuePath]: text },
    });
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.equal(stage.model.requests.length, 2);
    assert.equal(stage.queueText, text);
    assert.match(stage.ends[0]!, /^Stopped: Unexpected status: `Half done`\. All good$/);
    assert.ok(stage.activity().includes("EXPERT_UNEXPECTED_STATUS"));
    assert.deepEqual(offered(stage), ["Resume"]);
    const [line] = stage.files
      .text(".rooroo/logs/activity.jsonl")!
      .split("\n")
      .filter((entry) => entry.includes("EXPERT_REPORT_INVALID"));
    assert.match(line!, /status: /);
  });

  it("tells a person the last refusal in plain words, and never of circles or settings", async () => {
    const stage = new NavigatorStage((request) =>
      request.forcedTool ? direct : completes({ output_artifact_paths: ["no.md"] }),
    );
    assert.equal((await stage.navigator.say("fix it")).status, "failed");
    assert.equal(stage.model.requests.length, 3);
    assert.match(
      stage.ends[0]!,
      /^Failed: What it handed in could not be used: output_artifact_paths names no\.md, which does not exist/,
    );
    const unread = new NavigatorStage((request) =>
      request.forcedTool ? direct : calls("attempt_completion", { status: "Done", message: 7 }),
    );
    await unread.navigator.say("fix it");
    assert.match(unread.ends[0]!, /could not be used: “message” must be a text/);
    assert.doesNotMatch(unread.ends[0]!, /circles|setting/);
  });

  it("[R-ROO-19] asks what its message asks where it names no question of its own", async () => {
    for (const message of ["Which colour should it be?", "应该用哪种颜色？\n"]) {
      const status = "needs clarification";
      const stage = new NavigatorStage([direct, completes({ status, message })]);
      assert.equal((await stage.navigator.say("fix it")).status, "waiting");
      const asked = stage.events.flatMap((event) => (event.type === "question" ? event.text : []));
      assert.deepEqual(asked, [message]);
    }
    const statement = { status: "NeedsClarification", message: "The colour is unclear." };
    const stage = new NavigatorStage([direct, completes(statement), completes()]);
    assert.equal((await stage.navigator.say("fix it")).status, "done");
  });

  it("is told what is wrong with it where it came as text and not as a call", async () => {
    const stage = new NavigatorStage([
      direct,
      { text: '{"status": "Half done", "message": "Fixed"}' },
      completes(),
    ]);
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.match(stage.model.requests[2]!.messages.at(-1)!.content, /“status” must be one of Done/);
  });
});

describe("a count of tokens that cannot be", () => {
  it("is told with the model's name also where a model has its name only after the first call", async () => {
    const usage = { inputTokens: 10, outputTokens: 1, cachedTokens: 0 };
    const scripted = new ScriptedModel([{ ...completes(), usage }]);
    let name = "";
    const late: LanguageModel = {
      get name() {
        return name;
      },
      respond(request, signal) {
        name = "late";
        return scripted.respond(request, signal);
      },
    };
    const decided = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });
    const stage = new NavigatorStage([decided], { modelFor: () => late });
    await stage.navigator.say("fix it");
    assert.match(stage.notices.join("\n"), /^The server of late counts 10 tokens/m);
  });
});

describe("a plan in other forms", () => {
  const lines = [one, two].map((task) => JSON.stringify(task, null, 2)).join("\n");
  for (const [form, tasks] of [
    ["pretty-printed", lines],
    ["with line breaks written out", lines.replaceAll("\n", "\\n")],
    ["escaped twice", JSON.stringify(lines).slice(1, -1)],
  ]) {
    it(`[R-ROO-28] costs no call more, and loses no task, ${form}`, async () => {
      const stage = planned({ queue_tasks_json_lines: tasks });
      assert.equal((await stage.navigator.say("build it")).status, "done");
      assert.equal(stage.model.requests.length, 4);
      assert.equal(stage.started.length, 3);
      assert.equal(stage.queueText, "");
    });
  }

  it("[R-ROO-28] waits for the person where a task of it is lost, and offers to start it or to plan anew", async () => {
    const bad = { ...two, suggested_mode: "designer" };
    const stage = planned({ queue_tasks_json_lines: [one, bad] });
    await stage.navigator.say("build it");
    // Triage, the plan, and the plan again.
    assert.equal(stage.model.requests.length, 3);
    assert.equal(stage.started.length, 1, "the planner only");
    assert.match(stage.queueText, /"goal_for_expert":"One".*"auto_proceed_plan":false/);
    assert.match(stage.notices.join("\n"), /The plan waits: 1 of its tasks could not be read/);
    assert.ok(offered(stage).includes("Plan Anew") && offered(stage).includes("Proceed"));
    await stage.navigator.proceed();
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-11] is advice to the developer by its short name, and without a goal of its own takes the planner's", async () => {
    const stage = planned({ status: "Advice", advice_details: { suggested_mode: "Developer" } });
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.equal(stage.model.requests.length, 3);
    assert.match(stage.model.requests[2]!.messages[1]!.content, /EXECUTE_TASK .*--goal "Build it"/);
    const flat = planned({ status: "advice", suggested_mode: "analyzer", refined_goal: "Look" });
    await flat.navigator.say("build it");
    assert.match(flat.model.requests[2]!.messages[1]!.content, /EXECUTE_TASK .*--goal "Look"/);
  });

  it("[R-ROO-1] has the overview that its planner wrote in plans/ itself", async () => {
    const path = ".rooroo/plans/shop.md";
    const stage = new NavigatorStage((request) => {
      if (request.forcedTool) return plans;
      if (!request.messages[1]!.content.includes("PLAN_TASK")) return completes();
      return request.messages.some(({ role }) => role === "tool")
        ? completes({ queue_tasks_json_lines: [one], output_artifact_paths: [path] })
        : calls("write_to_file", { path, content: "# Shop\n\nFirst the cart.\n" });
    });
    assert.equal((await stage.navigator.say("build it")).status, "done");
    const [shown] = stage.events.flatMap((event) =>
      event.type === "plan" && event.tasks !== undefined ? [event.overview] : [],
    );
    assert.equal(shown, "# Shop\n\nFirst the cart.");
    assert.match(stage.model.requests.at(-1)!.messages[1]!.content, /First the cart\./);
  });
});

describe("a task of a plan that has failed", () => {
  it("[R-ROO-21] [R-ROO-22] can be tried again, planned anew or left out; done at last, its plan goes on", async () => {
    let isMended = false;
    const stage = new NavigatorStage((request) => {
      if (request.forcedTool) return plans;
      const told = request.messages[1]!.content;
      if (told.includes("PLAN_TASK")) return completes({ queue_tasks_json_lines: [one, two] });
      return completes(told.includes('--goal "One"') && !isMended ? { status: "Failed" } : {});
    });
    assert.equal((await stage.navigator.say("build it")).status, "failed");
    assert.deepEqual(offered(stage), [
      "Try Again",
      "Plan It Instead",
      "Go On Without It",
      "Open Queue",
    ]);
    const failed = stage.started[1]!;
    isMended = true;
    assert.equal((await stage.navigator.resume(failed)).status, "done");
    assert.equal(stage.queueText, "");
    assert.equal(stage.started.length, 4);
  });
});
