import assert from "node:assert/strict";
import { Redactor } from "../../../../src/core/text/redactor.js";
import type { RequestedJob, RequestedRun } from "../../../../src/core/work/requestedWork.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });

describe("triage", () => {
  it("[R-ROO-13] carries out a direct task with one triage call and the expert's own turns", async () => {
    const stage = new NavigatorStage([
      direct,
      calls("write_to_file", { path: "a.txt", content: "hello\n" }),
      completes({ message: "Wrote a.txt", output_artifact_paths: ["a.txt"] }),
    ]);
    const outcome = await stage.navigator.say("please fix it");

    assert.equal(outcome.status, "done");
    assert.equal(stage.files.text("a.txt"), "hello\n");
    assert.equal(stage.model.requests.length, 3);
    assert.deepEqual(stage.ends, ["Done: Wrote a.txt"]);
    const [taskId] = stage.started;
    assert.match(taskId!, /^ROO#TASK_20250102030405_[0-9A-F]{6}$/);
    const command = stage.model.requests[1]!.messages[1]!.content;
    assert.ok(
      command.startsWith(
        `COMMAND: EXECUTE_TASK --task-id ${taskId} --context-file .rooroo/tasks/${taskId}/context.md --goal "Fix it"`,
      ),
      command,
    );
    assert.equal(stage.json(`.rooroo/tasks/${taskId}/report.json`)["status"], "Done");
    assert.deepEqual(stage.activity(), [
      "TRIAGE_DECIDED",
      "ANNOUNCED",
      "TASK_DELEGATED",
      "EXPERT_REPORT_RECEIVED",
      "TASK_ARTIFACTS_PRODUCED",
      "ANNOUNCED",
      "AWAITING_USER_COMMAND",
    ]);
    const log = stage.files.text(".rooroo/logs/activity.jsonl")!;
    assert.match(log, /"TASK_DELEGATED".*"source":"direct_invocation"/);
  });

  it("[R-ROO-5] understands a route in any case, with one call", async () => {
    for (const [route, expert] of [
      ["DIRECT", "Developer"],
      ["Direct ", "ROOROO_DEVELOPER"],
    ]) {
      const stage = new NavigatorStage([triages({ route, expert, goal: "Fix it" }), completes()]);
      assert.equal((await stage.navigator.say("please fix it")).status, "done");
      assert.equal(stage.model.requests.length, 2);
    }
    const plan = new NavigatorStage([triages({ route: "PLAN", goal: "Build it" }), asks("Which?")]);
    assert.equal((await plan.navigator.say("build it")).status, "waiting");
    assert.equal(plan.model.requests.length, 2);
    assert.match(plan.announced[0]?.text ?? "", /^Request requires planning/);
  });

  it("[R-ROO-5] offers the model nothing but the forced triage function", async () => {
    const stage = new NavigatorStage([triages({ route: "acknowledge" })]);
    await stage.navigator.say("thanks");
    const [request] = stage.model.requests;
    assert.equal(request!.forcedTool, "triage");
    assert.deepEqual(
      request!.tools.map(({ name }) => name),
      ["triage"],
    );
  });

  it("[R-ROO-5] names the routes in the protocol's order, of which the first that fits counts", async () => {
    const stage = new NavigatorStage([triages({ route: "acknowledge" })]);
    await stage.navigator.say("thanks");
    const rules = stage.model.requests[0]!.messages[0]!.content;
    assert.match(rules, /Take the first route that fits:\n1\. /);
    const named = [...rules.matchAll(/^\d\. (\w+): /gm)].map(([, route]) => route);
    const inOrder = ["brainstorm", "proceed", "plan", "direct", "queue", "acknowledge", "clarify"];
    assert.deepEqual(
      named.filter((route) => inOrder.includes(route!)),
      inOrder,
    );
  });

  it("[R-ROO-13] asks instead of guessing when triage names no expert", async () => {
    const stage = new NavigatorStage([triages({ route: "direct", goal: "something" })]);
    const outcome = await stage.navigator.say("do the thing");
    assert.equal(outcome.status, "waiting");
    assert.equal(stage.started.length, 0);
    assert.match(stage.questions[0]!.text, /developer.*analyzer/);
  });

  it("[R-ROO-16] asks in the language of the request where triage has no question of its own", async () => {
    for (const [route, said, asked] of [
      ["direct", "Mach das bitte mit der Datei", /Änderung.*Untersuchung/],
      ["clarify", "Mach das bitte mit der Datei", /^Was soll das Ergebnis sein/],
      ["clarify", "改进一下这个项目", /^结果应该是什么/],
    ] as const) {
      const stage = new NavigatorStage([triages({ route })]);
      assert.equal((await stage.navigator.say(said)).status, "waiting");
      assert.match(stage.questions[0]!.text, asked);
    }
  });

  for (const route of ["direct", "queue"]) {
    it(`[R-ROO-13] [R-ROO-14] gives a task without a plan to no other built-in expert than developer and analyzer: ${route}`, async () => {
      for (const expert of ["rooroo-planner", "rooroo-documenter", "rooroo-idea-sparker"]) {
        const stage = new NavigatorStage([triages({ route, expert, goal: "something" })], {
          documenter: true,
        });
        assert.equal((await stage.navigator.say("do the thing")).status, "waiting", expert);
        assert.equal(stage.started.length, 0);
        assert.match(stage.questions[0]!.text, /developer.*analyzer/);
      }
    });
  }

  it("[R-ROO-13] gives a task without a plan to a mode of the workspace's own", async () => {
    const mine =
      "customModes: [{slug: mine, name: M, roleDefinition: You., whenToUse: x, groups: []}]";
    const direct = triages({ route: "direct", expert: "mine", goal: "something" });
    const stage = new NavigatorStage([direct, completes()], { files: { ".roomodes": mine } });
    assert.equal((await stage.navigator.say("do the thing")).status, "done");
    assert.match(stage.model.requests[1]!.messages[0]!.content, /You are mine/);
  });

  it("[R-ROO-14] puts a queued task at the head of the queue and drains it", async () => {
    const waiting =
      '{"taskId":"ROO#TASK_1","suggested_mode":"rooroo-analyzer","goal_for_expert":"Look"}\n';
    const goals: string[] = [];
    const stage = new NavigatorStage(
      (request) => {
        if (request.forcedTool) {
          return triages({ route: "queue", expert: "rooroo-developer", goal: "Tidy up" });
        }
        goals.push(/--goal "([^"]*)"/.exec(request.messages[1]!.content)![1]!);
        return completes();
      },
      { files: { ".rooroo/queue.jsonl": waiting } },
    );
    const outcome = await stage.navigator.say("tidy up later");
    assert.equal(outcome.status, "done");
    assert.deepEqual(goals, ["Tidy up", "Look"]);
    assert.ok(stage.activity().includes("TASK_QUEUED"));
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-15] acknowledges filler, in the model's words or its own", async () => {
    const stage = new NavigatorStage([
      triages({ route: "acknowledge", reply: "You're welcome." }),
      triages({ route: "acknowledge" }),
    ]);
    for (const filler of ["thanks", "ok"])
      assert.equal((await stage.navigator.say(filler)).status, "done");
    assert.deepEqual(stage.notices, ["You're welcome.", "All right. What should be done next?"]);
  });

  it("a request of attachments without a word is refused, and not dropped", async () => {
    const stage = new NavigatorStage([]);
    const attached = [{ kind: "url", url: "https://example.test/" }] as const;
    const outcome = await stage.navigator.say(" ", undefined, attached);
    assert.equal(outcome.status, "failed");
    assert.deepEqual(stage.notices, ["Say what is to be done with what is attached."]);
  });

  it("a request that is longer than a task's files can be is refused before anything is written", async () => {
    const stage = new NavigatorStage([]);
    const outcome = await stage.navigator.say(`/do ${"x".repeat(600_000)}`);
    assert.equal(outcome.status, "failed");
    assert.deepEqual(stage.notices, [
      "This is 600 kB long, and a request can have 500 kB. Put it into a file, and name the file in the request.",
    ]);
    assert.equal(await stage.files.stat(".rooroo/tasks"), undefined);
  });

  it("offers long work as a job, with its file drafted, and makes and runs it when it is told to", async () => {
    const done: string[] = [];
    const job = {
      create: ({ name, goal }: { name: string; goal: string }) => {
        done.push(`${name}: ${goal}`);
        return Promise.resolve(`.jixo/${name}.job.md`);
      },
      begin: ({ job: { name } }: { job: RequestedJob }) => {
        done.push(`run ${name}`);
        return Promise.resolve({ status: "done" as const });
      },
    };
    const meant = "Move all tests to the new runner.\n\nOne file at a time.";
    const long = triages({ route: "job", name: " Move: the Tests! ", goal: meant });
    const goal = `${meant}\n\nThe request, word for word:\n\nover night, move all tests`;
    const stage = new NavigatorStage([long], { works: { job } });
    assert.equal((await stage.navigator.say("over night, move all tests")).status, "waiting");
    assert.deepEqual(done, []);
    const offer = stage.events.find((event) => event.type === "notice");
    assert.match(
      offer?.text ?? "",
      /\n {4}name: move-the-tests\n[^]*\n {4}One file at a time\.\n[^]*\n {4}over night, move all tests$/,
    );
    assert.deepEqual(offer?.steps, [
      {
        type: "action",
        label: "Make the Job",
        action: { action: "createJob", name: "move-the-tests", goal },
      },
      { type: "action", label: "Plan It Now", action: { action: "plan", goal } },
    ]);
    assert.equal((await stage.navigator.say(`/job move-the-tests ${goal}`)).status, "done");
    assert.equal((await stage.navigator.say("/job move-the-tests")).status, "done");
    assert.deepEqual(done, [`move-the-tests: ${goal}`, "run move-the-tests"]);
    // Where there are no jobs it is work to be planned.
    const without = new NavigatorStage([long, completes()]);
    await without.navigator.say("over night, move all tests");
    assert.match(without.announced[0]?.text ?? "", /^Request requires planning/);
  });

  it("offers work on documents as a run, and starts it when it is told to", async () => {
    const begun: string[] = [];
    const run = {
      begin: ({ run: { request } }: { run: RequestedRun }) => {
        begun.push(request);
        return Promise.resolve({ status: "done" as const });
      },
    };
    const meant = "Write a market report.\n\nFrom the interviews.";
    const documents = triages({ route: "run", goal: meant });
    const goal = `${meant}\n\nThe request, word for word:\n\na market report, please`;
    const stage = new NavigatorStage([documents], { works: { run } });
    assert.equal((await stage.navigator.say("a market report, please")).status, "waiting");
    assert.deepEqual(begun, []);
    const offer = stage.events.find((event) => event.type === "notice");
    assert.match(
      offer?.text ?? "",
      /\n {4}Write a market report\.\n {4}\n {4}From the interviews\.\n[^]*\n {4}a market report, please$/,
    );
    assert.deepEqual(offer?.steps, [
      { type: "action", label: "Start the Run", action: { action: "startRun", request: goal } },
      { type: "action", label: "Plan It Now", action: { action: "plan", goal } },
    ]);
    assert.equal((await stage.navigator.say(`/run ${goal}`)).status, "done");
    assert.deepEqual(begun, [goal]);
    // Where there are no runs it is work to be planned.
    const without = new NavigatorStage([documents, completes()]);
    await without.navigator.say("a market report, please");
    assert.match(without.announced[0]?.text ?? "", /^Request requires planning/);
  });

  it("carries out a button's action, and shows it as what a person would type", async () => {
    const stage = new NavigatorStage([completes()]);
    const goal = "/resume is explained in the manual";
    const action = { action: "doTask", expert: "rooroo-analyzer", goal } as const;
    assert.equal((await stage.navigator.act(action)).status, "done");
    const shown = stage.events.find((event) => event.type === "user");
    assert.equal(shown?.text, `/ask ${goal}`);
    assert.equal(stage.events.find((event) => event.type === "sessionStarted")?.goal, goal);
  });

  it("removes keys from a button's action", async () => {
    const redactor = new Redactor();
    redactor.learn("sk-0123456789abcdef");
    const stage = new NavigatorStage([completes()], { redactor });
    await stage.navigator.act({ action: "plan", goal: "use sk-0123456789abcdef" });
    assert.doesNotMatch(JSON.stringify(stage.events), /0123456789abcdef/);
  });

  it("[R-ROO-16] asks one question and judges the answer with the question before it", async () => {
    const stage = new NavigatorStage([
      triages({ route: "clarify", question: "Which file?" }),
      direct,
      completes(),
    ]);
    const first = await stage.navigator.say("improve it");
    assert.equal(first.status, "waiting");
    const second = await stage.navigator.say("src/cart.js");
    assert.equal(second.status, "done");
    const again = stage.model.requests[1]!.messages[1]!.content;
    assert.match(again, /user: improve it\nnavigator: Which file\?/);
    assert.match(
      again,
      /latest message:\n<request>\nimprove it\n\n\(Asked about this: Which file\?\)\n\nsrc\/cart\.js\n<\/request>$/,
    );
  });

  it("[R-ROO-6] hands a brainstorm to the idea-sparker, and what is said next goes there", async () => {
    const stage = new NavigatorStage([
      triages({ route: "brainstorm", goal: "Names for the product" }),
      { text: "How bold may it be?" },
      asks("Shall I write the summary?", ["Yes", "No"]),
      completes({ message: "Three names" }),
      triages({ route: "acknowledge" }),
    ]);
    await stage.navigator.say("let's brainstorm names");
    assert.equal(stage.navigator.talkingTo(), "rooroo-idea-sparker");
    assert.equal(stage.questions[0]!.text, "How bold may it be?");
    await stage.navigator.say("very");
    await stage.navigator.say("Yes");
    assert.equal(stage.navigator.talkingTo(), null);
    assert.deepEqual(stage.ends.at(-1), "Done: Three names");
    await stage.navigator.say("thanks");
    assert.equal(stage.model.requests.at(-1)!.forcedTool, "triage");
  });

  it("[R-ROO-7] needs no model for proceed, and says that the queue is empty", async () => {
    const stage = new NavigatorStage([]);
    const outcome = await stage.navigator.say("Proceed");
    assert.equal(outcome.status, "done");
    assert.deepEqual(stage.notices, ["The queue is empty."]);
    assert.deepEqual(
      stage.announced.map(({ text }) => text),
      ["Task queue is empty."],
    );
    assert.equal(stage.model.requests.length, 0);
  });

  it("[R-ROO-7] runs the queue where the model takes the words for proceed", async () => {
    const line = (id: string) =>
      `{"taskId":"ROO#TASK_${id}","suggested_mode":"rooroo-developer","goal_for_expert":"${id}"}\n`;
    const stage = new NavigatorStage([triages({ route: "proceed" }), completes(), completes()], {
      files: { ".rooroo/queue.jsonl": line("A") + line("B") },
    });
    assert.equal((await stage.navigator.say("do what you have there")).status, "done");
    assert.deepEqual(stage.started, ["ROO#TASK_A", "ROO#TASK_B"]);
    assert.equal(stage.queueText, "");
  });

  it("needs no model for plain commands and an empty message", async () => {
    const stage = new NavigatorStage([completes(), completes()]);
    await stage.navigator.say("   ");
    await stage.navigator.say("/ask where is the total computed?");
    await stage.navigator.say("/queue fix the total");
    assert.equal(stage.model.requests.length, 2);
    assert.ok(stage.model.requests.every(({ forcedTool }) => forcedTool === undefined));
    assert.match(stage.model.requests[0]!.messages[0]!.content, /rooroo-analyzer/);
  });

  it("asks again, with the reason, when triage is not usable, then leaves the choice to the user", async () => {
    const stage = new NavigatorStage([
      { text: "I would plan this." },
      { toolCalls: [{ name: "triage", arguments: { route: "fly" } }] },
    ]);
    const outcome = await stage.navigator.say("make it nice");
    assert.equal(outcome.status, "failed");
    assert.match(stage.model.requests[1]!.messages.at(-1)!.content, /cannot be used/);
    const notice = stage.events.find((event) => event.type === "notice");
    assert.deepEqual(
      notice?.steps.map((step) => step.type === "action" && step.action),
      [
        { action: "request", text: "make it nice" },
        { action: "plan", goal: "make it nice" },
        { action: "doTask", expert: "rooroo-developer", goal: "make it nice" },
        { action: "doTask", expert: "rooroo-analyzer", goal: "make it nice" },
      ],
    );
  });

  it("reads triage from the text of a model that has no forced functions", async () => {
    const stage = new NavigatorStage([
      {
        text: 'Sure:\n```json\n{"route": "acknowledge", "reply": "Hi", "reason": "greeting"}\n```',
      },
    ]);
    await stage.navigator.say("hello");
    assert.deepEqual(stage.notices, ["Hi"]);
  });
});
