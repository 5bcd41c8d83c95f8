import assert from "node:assert/strict";
import { anyExpert, parseQueue } from "../../../../src/core/documents/queue.js";
import { completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { ScriptedModel } from "../../../fakes/scriptedModel.js";

const tasks = [
  { suggested_mode: "rooroo-analyzer", goal_for_expert: "Look", context: "Read src." },
  { suggested_mode: "rooroo-developer", goal_for_expert: "Build" },
  { suggested_mode: "rooroo-developer", goal_for_expert: "Document" },
];
const plans = triages({ route: "plan", goal: "Build it" });

function planOf(queue_tasks_json_lines: unknown) {
  return completes({ message: "Three steps", queue_tasks_json_lines, plan_overview: "Why so." });
}

describe("a plan", () => {
  it("[R-ROO-10] is put at the head of the queue and drained in plan order, at no further cost", async () => {
    const old =
      '{"taskId":"ROO#TASK_OLD","suggested_mode":"rooroo-analyzer","goal_for_expert":"Old"}\n';
    const stage = new NavigatorStage(
      [plans, planOf(tasks), completes(), completes(), completes(), completes()],
      { files: { ".rooroo/queue.jsonl": old } },
    );
    const outcome = await stage.navigator.say("build it");
    assert.equal(outcome.status, "done");
    const [planner, ...rest] = stage.started;
    const short = planner!.replace("ROO#TASK_", "");
    assert.deepEqual(rest, [
      `ROO#SUB_${short}_S001`,
      `ROO#SUB_${short}_S002`,
      `ROO#SUB_${short}_S003`,
      "ROO#TASK_OLD",
    ]);
    // One triage, one planner's turn, one turn for each of the four tasks: nothing for bookkeeping.
    assert.equal(stage.model.requests.length, 6);
    assert.equal(stage.queueText, "");
    assert.match(stage.files.text(`.rooroo/plans/ROO#PLAN_${short}.md`)!, /Why so\.[\s\S]*Look/);
    assert.match(stage.files.text(`.rooroo/tasks/${rest[0]!}/context.md`)!, /Read src\./);
    assert.match(
      stage.files.text(`.rooroo/tasks/${rest[1]!}/context.md`)!,
      /\.rooroo\/plans\/ROO%23PLAN/,
    );
  });

  it("has its overview in the language of its goal", async () => {
    const stage = new NavigatorStage([
      completes({
        queue_tasks_json_lines: [
          {
            suggested_mode: "rooroo-developer",
            goal_for_expert: "Teil eins",
            auto_proceed_plan: false,
          },
        ],
      }),
    ]);
    await stage.navigator.say("/plan Baue die Seite und den Katalog für die Gäste");
    const [path = ""] = (await stage.files.readDirectory(".rooroo/plans")).map(({ name }) => name);
    const overview = stage.files.text(`.rooroo/plans/${path}`) ?? "";
    assert.match(
      overview,
      /\*\*Ziel:\*\* Baue die Seite [^]*\n## Aufgaben, wie geplant\n\nWas seither/,
    );
  });

  it("[R-ROO-21] holds a task back of which the planner says that it starts only on the user's word", async () => {
    const [first, second] = tasks;
    const held = { ...second, auto_proceed_plan: false };
    const stage = new NavigatorStage([plans, planOf([first, held]), completes(), completes()]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    const [left] = parseQueue(stage.queueText, anyExpert);
    assert.ok(left?.kind === "task" && !left.entry.autoProceed);
    await stage.navigator.proceed();
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-28] names the line of a list that is not a task", async () => {
    const stage = new NavigatorStage([
      plans,
      planOf([JSON.stringify(tasks[0]), "and then test it"]),
      planOf(tasks.slice(0, 1)),
      completes(),
    ]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.match(
      stage.model.requests[2]!.messages.at(-1)!.content,
      /queue_tasks_json_lines.{0,3}1\b/,
    );
  });

  it("[R-ROO-28] is understood as a newline-joined string, as a list of strings, and inside a result string", async () => {
    const lines = tasks.map((task) => JSON.stringify(task)).join("\n");
    for (const report of [
      planOf(lines),
      planOf(lines.split("\n")),
      completes({
        status: undefined,
        message: undefined,
        output_artifact_paths: undefined,
        result: JSON.stringify({ status: "Done", message: "x", queue_tasks_json_lines: lines }),
      }),
    ]) {
      const stage = new NavigatorStage([plans, report, completes(), completes(), completes()]);
      assert.equal((await stage.navigator.say("build it")).status, "done");
      assert.equal(stage.started.length, 4);
    }
  });

  it("[R-ROO-31] halts at a failed task and leaves the rest in the queue", async () => {
    const stage = new NavigatorStage([
      plans,
      planOf(tasks),
      completes(),
      completes({ status: "Failed", message: "No way", error_details: "x" }),
    ]);
    const outcome = await stage.navigator.say("build it");
    assert.equal(outcome.status, "failed");
    const left = parseQueue(stage.queueText, anyExpert);
    assert.deepEqual(
      left.map((line) => line.kind === "task" && line.entry.goal),
      ["Document"],
    );
    assert.match(stage.notices.at(-1)!, /halts at `Failed`\. 1 task is still queued/);
  });

  it("is asked for again when it is Done without tasks", async () => {
    const stage = new NavigatorStage([plans, completes(), planOf(tasks.slice(0, 1)), completes()]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.match(stage.model.requests[2]!.messages.at(-1)!.content, /queue_tasks_json_lines/);
  });

  it("is asked for again when it names an expert that is not there, and knows the user's own", async () => {
    const mine =
      "customModes: [{slug: mine, name: M, roleDefinition: You., whenToUse: x, groups: []}]";
    const planned = (mode: string) => planOf([{ suggested_mode: mode, goal_for_expert: "Go" }]);
    const stage = new NavigatorStage([plans, planned("nobody"), planned("mine"), completes()], {
      files: { ".roomodes": mine },
    });
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.match(stage.model.requests[2]!.messages.at(-1)!.content, /no expert nobody.*mine/);
    assert.match(stage.model.requests[1]!.messages[0]!.content, /- mine: x/);
    assert.match(stage.model.requests[3]!.messages[0]!.content, /You are mine/);
  });

  it("may use the documenter where the settings say so, and a mode's own model", async () => {
    const documented = planOf([
      { suggested_mode: "rooroo-documenter", goal_for_expert: "Describe it" },
    ]);
    const without = new NavigatorStage([plans, documented, planOf(tasks.slice(0, 1)), completes()]);
    await without.navigator.say("build it");
    assert.match(
      without.model.requests[2]!.messages.at(-1)!.content,
      /no expert rooroo-documenter/,
    );

    const own = new ScriptedModel([completes()]);
    const stage = new NavigatorStage([plans, documented], {
      documenter: true,
      modelFor: (slug) => (slug === "rooroo-documenter" ? own : undefined),
    });
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.match(own.requests[0]!.messages[0]!.content, /You are rooroo-documenter/);
  });

  it("[R-ROO-11] becomes a direct task when the planner advises one expert", async () => {
    const stage = new NavigatorStage([
      plans,
      completes({
        status: "Advice",
        message: "One step",
        advice_details: { suggested_mode: "rooroo-developer", refined_goal: "Just do it" },
      }),
      completes(),
    ]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.match(stage.model.requests[2]!.messages[1]!.content, /--goal "Just do it"/);
    assert.ok(stage.notices.includes("The planner advises: One step"));
    assert.equal(stage.announced.at(-2)?.code, "direct_task_begins");
  });

  it("[R-ROO-2] never changes a context.md that is there already", async () => {
    const stage: NavigatorStage = new NavigatorStage([
      plans,
      planOf(tasks.slice(0, 1)),
      (request) => {
        const context = /--context-file (\S+)/.exec(request.messages[1]!.content)![1]!;
        assert.match(request.messages[1]!.content, /mine/);
        assert.equal(stage.files.text(context), "mine\n");
        return completes();
      },
    ]);
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "createFile" && path.endsWith("_S001/context.md")) {
        stage.files.beforeOperation = () => undefined;
        stage.files.put(path, "mine\n");
      }
    };
    assert.equal((await stage.navigator.say("build it")).status, "done");
  });
});
