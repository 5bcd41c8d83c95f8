import assert from "node:assert/strict";
import type { ConversationEvent } from "../../../../src/core/conversation/events/events.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import type { ModelScript } from "../../../fakes/scriptedModel.js";

const [first, second] = ["20260102-000000-aaaaaa", "20260102-000000-bbbbbb"];

const tasks = ["One", "Two"].map((goal) => ({
  suggested_mode: "rooroo-developer",
  goal_for_expert: goal,
}));

/** Plans two tasks, which an expert carries out at once. */
const plan: ModelScript = (request) => {
  const command = request.messages[1]!.content;
  if (command.includes("PLAN_TASK")) return completes({ queue_tasks_json_lines: tasks });
  return completes({ message: "done" });
};

/** Returns the stage's events in the form `type`, by their conversation; passing ones are left out. */
function told(stage: NavigatorStage): Map<string | undefined, string[]> {
  const all = new Map<string | undefined, string[]>();
  for (const [index, event] of stage.events.entries()) {
    if (event.type === "tasksChanged") continue;
    const place = stage.places[index];
    all.set(place, [...(all.get(place) ?? []), event.type]);
  }
  return all;
}

function eventsIn(stage: NavigatorStage, place: string | undefined): ConversationEvent[] {
  return stage.events.filter((_, index) => stage.places[index] === place);
}

describe("the Navigator in several conversations", () => {
  it("has every event of a request in the conversation in which it was said", async () => {
    const stage = new NavigatorStage([
      triages({ route: "direct", goal: "Change it", expert: "rooroo-developer" }),
      calls("write_to_file", { path: "a.txt", content: "a\n" }),
      completes({ message: "Changed" }),
    ]);
    await stage.navigator.say("change it", first);
    assert.deepEqual([...told(stage).keys()], [first]);
    const [started] = stage.started;
    assert.equal(stage.json(`.rooroo/tasks/${started!}/task.json`)["conversation"], first);
  });

  it("tells each conversation once, whatever runs in it, of rules that the model's window has no room for", async () => {
    const stage = new NavigatorStage(plan, {
      contextTokens: 64_000,
      files: { "AGENTS.md": `begin${" long".repeat(20_000)}`, "docs/AGENTS.md": "never" },
    });
    await stage.navigator.say("/plan build it", first);
    await stage.navigator.say("/plan build it again", second);
    const texts = [first, second].map((place) =>
      eventsIn(stage, place).flatMap((event) =>
        event.type === "notice" && event.text.includes("more rules") ? [event.text] : [],
      ),
    );
    assert.equal(stage.started.length, 6);
    for (const told of texts) {
      assert.equal(told.length, 1);
      assert.match(told[0]!, /in part: AGENTS\.md, docs\/AGENTS\.md\./);
    }
    for (const { messages } of stage.model.requests) {
      assert.match(messages[0]!.content, /From AGENTS\.md:\nbegin long[^]*\n- docs\/AGENTS\.md\n/);
      // A fifth of 64,000 tokens.
      assert.ok(messages[0]!.content.length > 40_000);
    }
  });

  it("has a plan's tasks in the planner's conversation, also when another one says Proceed", async () => {
    const stage = new NavigatorStage(plan, { files: {} });
    const planner = new NavigatorStage(plan, { files: stage.files });
    // The first process is killed when the plan is queued.
    let killed = false;
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "createFile" && path.endsWith("S001.active")) killed = true;
      if (killed) throw new Error("killed");
    };
    await stage.navigator.say("/plan build it", first).catch(() => undefined);
    assert.ok(killed);
    stage.files.beforeOperation = undefined;

    await planner.navigator.recover(() => true);
    await planner.navigator.proceed({ one: false }, second);
    const ofTasks = planner.events.flatMap((event, index) =>
      "taskId" in event ? [planner.places[index]] : [],
    );
    assert.ok(ofTasks.length > 0);
    assert.deepEqual([...new Set(ofTasks)], [first]);
    const here = eventsIn(planner, second).filter(({ type }) => type === "notice");
    assert.deepEqual(
      here.map((event) => event.type === "notice" && event.text),
      ["All tasks in the queue are done."],
    );
  });

  it("talks to the partner of a brainstorm in its conversation only, also after a restart", async () => {
    const stage = new NavigatorStage([
      { text: "How bold may it be?" },
      triages({ route: "acknowledge", reply: "Hello." }),
      asks("Shall I write the summary?", ["Yes", "No"]),
    ]);
    await stage.navigator.say("/brainstorm names", first);
    assert.equal(stage.navigator.talkingTo(first), "rooroo-idea-sparker");
    assert.equal(stage.navigator.talkingTo(second), null);
    await stage.navigator.say("hello", second);
    assert.deepEqual(told(stage).get(second), ["user", "announced", "notice"]);

    const next = new NavigatorStage([asks("Shall I?", ["Yes"])], { files: stage.files });
    await next.navigator.recover(() => true);
    assert.equal(next.navigator.talkingTo(first), "rooroo-idea-sparker");
    assert.equal(next.navigator.talkingTo(second), null);
    await next.navigator.say("very", first);
    assert.deepEqual([...told(next).keys()], [first]);
    next.navigator.leaveBrainstorm(first);
    assert.equal(next.navigator.talkingTo(first), null);
  });

  it("has its own question answered in the conversation in which it asked", async () => {
    const stage = new NavigatorStage([
      triages({ route: "clarify", question: "Which one?" }),
      triages({ route: "acknowledge" }),
      triages({ route: "acknowledge" }),
    ]);
    await stage.navigator.say("change the thing", first);
    await stage.navigator.say("hello", second);
    assert.doesNotMatch(stage.model.requests[1]!.messages.at(-1)!.content, /the thing/);
    await stage.navigator.say("the left one", first);
    assert.match(
      stage.model.requests[2]!.messages.at(-1)!.content,
      /change the thing[^]*Which one\?[^]*the left one/,
    );
  });

  it("resumes and answers a task in its own conversation, wherever that is asked for", async () => {
    const stage = new NavigatorStage([asks("Left or right?", ["Left"]), completes()]);
    await stage.navigator.say("/do it", first);
    const [taskId] = stage.started;
    const next = new NavigatorStage([completes({ message: "Right" })], { files: stage.files });
    await next.navigator.recover(() => true);
    await next.navigator.answer(taskId!, "Right");
    assert.deepEqual([...told(next).keys()], [first]);
  });

  it("has a task that was only queued in the conversation that works off the queue", async () => {
    const stage = new NavigatorStage([completes()]);
    const taskId = await stage.navigator.enqueue({ goal: "It", expert: "rooroo-developer" });
    await stage.navigator.proceed({}, second);
    assert.deepEqual([...told(stage).keys()], [second]);
    assert.equal(stage.json(`.rooroo/tasks/${taskId}/task.json`)["conversation"], second);
  });

  it("hands jobs and runs over with the conversation that wants them", async () => {
    const wanted: unknown[] = [];
    const stage = new NavigatorStage([], {
      works: {
        job: {
          create: () => Promise.resolve("x"),
          begin: ({ job: { name } }, _signal, conversation) => {
            wanted.push([name, conversation]);
            return Promise.resolve({ status: "done" });
          },
        },
        run: {
          begin: ({ run: { request } }, _signal, conversation) => {
            wanted.push([request, conversation]);
            return Promise.resolve({ status: "done" });
          },
        },
      },
    });
    await stage.navigator.say("/job tests", first);
    await stage.navigator.say("/run write a guide", second);
    assert.deepEqual(wanted, [
      ["tests", first],
      ["write a guide", second],
    ]);
  });

  it("does not believe a task's record from elsewhere about its conversation", async () => {
    const stage = new NavigatorStage([asks("Left?", ["Yes"])]);
    await stage.navigator.say("/do it", first);
    const [taskId] = stage.started;
    const path = `.rooroo/tasks/${taskId!}/task.json`;
    stage.files.put(path, stage.files.text(path)!.replace(first, second));
    const next = new NavigatorStage([completes()], { files: stage.files });
    await next.navigator.answer(taskId!, "Yes");
    assert.deepEqual([...told(next).keys()], [undefined]);
  });
});
