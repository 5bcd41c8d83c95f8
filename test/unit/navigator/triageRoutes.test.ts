import assert from "node:assert/strict";
import { asks, calls, completes, NavigatorStage, triages } from "../../fakes/navigatorWorld.js";

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
      "TASK_DELEGATED",
      "EXPERT_REPORT_RECEIVED",
      "AWAITING_USER_COMMAND",
    ]);
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

  it("[R-ROO-13] asks instead of guessing when triage names no expert", async () => {
    const stage = new NavigatorStage([triages({ route: "direct", goal: "something" })]);
    const outcome = await stage.navigator.say("do the thing");
    assert.equal(outcome.status, "waiting");
    assert.equal(stage.started.length, 0);
    assert.match(stage.questions[0]!.text, /developer.*analyzer/);
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
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-15] acknowledges filler, in the model's words or its own", async () => {
    const stage = new NavigatorStage([
      triages({ route: "acknowledge", reply: "You're welcome." }),
      triages({ route: "acknowledge" }),
    ]);
    await stage.navigator.say("thanks");
    await stage.navigator.say("ok");
    assert.deepEqual(stage.notices, [
      "You're welcome.",
      "Acknowledged. Ready for your next command.",
    ]);
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
    assert.match(again, /latest message:\nsrc\/cart\.js$/);
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
    assert.equal(stage.navigator.talkingTo, "rooroo-idea-sparker");
    assert.equal(stage.questions[0]!.text, "How bold may it be?");
    await stage.navigator.say("very");
    await stage.navigator.say("Yes");
    assert.equal(stage.navigator.talkingTo, null);
    assert.deepEqual(stage.ends.at(-1), "Done: Three names");
    await stage.navigator.say("thanks");
    assert.equal(stage.model.requests.at(-1)!.forcedTool, "triage");
  });

  it("[R-ROO-7] needs no model for proceed, and says that the queue is empty", async () => {
    const stage = new NavigatorStage([]);
    const outcome = await stage.navigator.say("Proceed");
    assert.equal(outcome.status, "done");
    assert.deepEqual(stage.notices, ["Task queue is empty."]);
    assert.equal(stage.model.requests.length, 0);
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
      notice?.steps.map((step) => step.type === "say" && step.text),
      ["/plan make it nice", "/do make it nice", "/ask make it nice"],
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
