import assert from "node:assert/strict";
import { ModelError } from "../../../../src/core/errors.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";
import { neverAnswers } from "../../../fakes/scriptedModel.js";

const queuePath = ".rooroo/queue.jsonl";
const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });
const plans = triages({ route: "plan", goal: "Build it" });

function line(id: string, more: Record<string, unknown> = {}): string {
  const taskId = `ROO#TASK_${id}`;
  const task = { taskId, suggested_mode: "rooroo-developer", goal_for_expert: `Goal ${id}` };
  return `${JSON.stringify({ ...task, ...more })}\n`;
}

function step(goal: string, more: Record<string, unknown> = {}) {
  return { suggested_mode: "rooroo-developer", goal_for_expert: goal, ...more };
}

/** Returns all that the model was told in its nth request. */
function told(stage: NavigatorStage, request: number): string {
  return stage.model.requests[request]!.messages.map(({ content }) => content).join("\n");
}

function goalsOf(text: string): string[] {
  const lines = text.split("\n").filter((one) => one !== "");
  return lines.map((one) => (JSON.parse(one) as { goal_for_expert: string }).goal_for_expert);
}

describe("triage's choice of an expert", () => {
  for (const route of ["direct", "queue"] as const) {
    const id = route === "direct" ? "R-ROO-13" : "R-ROO-14";
    it(`[${id}] is a question for the user where it is none that may be chosen: ${route}`, async () => {
      for (const expert of ["rooroo-planner", "rooroo-idea-sparker", "designer", "", null]) {
        const stage = new NavigatorStage([triages({ route, expert, goal: "Do it" })]);
        assert.equal((await stage.navigator.say("do it")).status, "waiting", String(expert));
        assert.match(stage.questions[0]!.text, /developer.*analyzer/);
        assert.deepEqual([stage.started, stage.queueText], [[], ""]);
        assert.equal(stage.model.requests.length, 1);
      }
    });

    it(`[${id}] is understood in another spelling: ${route}`, async () => {
      for (const [expert, mode] of [
        ["Developer", "rooroo-developer"],
        ["rooroo_analyser", "rooroo-analyzer"],
      ]) {
        const stage = new NavigatorStage([triages({ route, expert, goal: "Do it" }), completes()]);
        assert.equal((await stage.navigator.say("do it")).status, "done");
        const { tasks } = await stage.navigator.overview();
        assert.deepEqual(
          tasks.map((task) => task.mode),
          [mode],
        );
      }
    });
  }
});

describe("a queued line's own words", () => {
  const own = "docs/brief.md";

  it("[R-ROO-2] [R-ROO-27] name the context file, at the start and after an answer; none is made beside it", async () => {
    const text = line("A", { context_file_path: own });
    const files = new MemoryFileSystem({ [queuePath]: text, [own]: "The brief." });
    const stage = new NavigatorStage(
      [
        completes({ status: "NeedsClarification", clarification_question: "Which?" }),
        completes({ status: "Failed" }),
        completes(),
      ],
      { files },
    );
    await stage.navigator.proceed();
    assert.match(told(stage, 0), /--context-file docs\/brief\.md[\s\S]*The brief\./);
    assert.equal(files.text(".rooroo/tasks/ROO#TASK_A/context.md"), undefined);
    await stage.navigator.answer("ROO#TASK_A", "This");
    assert.match(told(stage, 1), /RESUME_TASK .*--context-file docs\/brief\.md/);
    assert.equal(stage.queueText, "");
    // It is out of the queue by now.
    await stage.navigator.resume("ROO#TASK_A");
    assert.match(
      stage.model.requests[2]!.messages.at(-1)!.content,
      /--context-file docs\/brief\.md/,
    );
    assert.equal(files.text(own), "The brief.");
  });

  it("[R-ROO-2] are told to the user where the context file is missing: no expert starts without it", async () => {
    const text = line("A", { context_file_path: own });
    const stage = new NavigatorStage([completes()], { files: { [queuePath]: text } });
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.ok(stage.notices.some((notice) => notice.includes(`context file ${own} is missing`)));
    assert.equal(stage.model.requests.length, 0);
    assert.equal(stage.queueText, text);
  });

  it("[R-ROO-2] count when they were edited by hand, also for a task that has begun", async () => {
    const stage = new NavigatorStage([asks("Which?"), completes()]);
    await stage.navigator.enqueue({ goal: "Old goal", expert: "rooroo-developer" });
    const queued = stage.queueText.trim();
    const edit = (text: string): void => {
      stage.files.put(queuePath, `${text}\n`);
    };
    edit(queued.replace("Old goal", "New goal").replace("rooroo-developer", "rooroo-analyzer"));
    await stage.navigator.proceed();
    assert.match(told(stage, 0), /You are rooroo-analyzer[\s\S]*--goal "New goal"/);
    const { tasks } = await stage.navigator.overview();
    assert.deepEqual([tasks[0]!.goal, tasks[0]!.mode], ["New goal", "rooroo-analyzer"]);

    edit(stage.queueText.trim().replace("New goal", "Newest goal"));
    await stage.navigator.answer(tasks[0]!.taskId, "This");
    assert.match(told(stage, 1), /The user has changed this task\.[\s\S]*--goal "Newest goal"/);
    assert.equal(stage.json(`.rooroo/tasks/${tasks[0]!.taskId}/task.json`)["goal"], "Newest goal");
  });
});

describe("a report's artifacts", () => {
  const other = ".rooroo/tasks/ROO#TASK_OTHER/report.md";
  for (const [path, why] of [
    [
      other,
      /is not this task's\. Below \.rooroo\/, name files in \.rooroo\/tasks\/ROO#TASK_\w+\/ only/,
    ],
    [".rooroo/plans/p.md", /is not this task's/],
    ["/work/a.md", /relative to the workspace root/],
    ["C:\\a.md", /relative to the workspace root/],
    ["~/a.md", /relative to the workspace root/],
  ] as const) {
    it(`[R-ROO-3] are refused with the reason: ${path}`, async () => {
      const files = { [other]: "x", ".rooroo/plans/p.md": "x", "a.md": "x" };
      const stage = new NavigatorStage(
        [direct, completes({ output_artifact_paths: [path] }), completes()],
        { files },
      );
      assert.equal((await stage.navigator.say("fix it")).status, "done");
      assert.match(stage.model.requests[2]!.messages.at(-1)!.content, why);
    });
  }

  it("[R-ROO-3] may be the project's and the task's own", async () => {
    const stage: NavigatorStage = new NavigatorStage(
      (request) => {
        if (request.forcedTool) return direct;
        const path = `.rooroo/tasks/${stage.started[0]!}/notes.md`;
        return request.messages.some(({ role }) => role === "tool")
          ? completes({ output_artifact_paths: [path, "a.md"] })
          : calls("write_to_file", { path, content: "x" });
      },
      { files: { "a.md": "x" } },
    );
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.equal(stage.model.requests.length, 3);
  });
});

describe("a chain that goes on by itself", () => {
  const held = { auto_proceed_plan: false };

  it("[R-ROO-21] [R-ROO-31] stops where the planner says so, before the first task, too", async () => {
    const queue_tasks_json_lines = [step("One"), step("Two", held), step("Three")];
    const stage = new NavigatorStage([plans, completes({ queue_tasks_json_lines }), completes()]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.deepEqual(goalsOf(stage.queueText), ["Two", "Three"]);
    assert.match(stage.notices.at(-1)!, /starts only when you say so/);

    const first = [step("One", held), step("Two")];
    const none = new NavigatorStage([
      plans,
      completes({ queue_tasks_json_lines: first }),
      completes(),
      completes(),
    ]);
    await none.navigator.say("build it");
    assert.equal(none.started.length, 1, "the planner only");
    await none.navigator.proceed();
    assert.equal(none.queueText, "");
  });

  it("[R-ROO-21] [R-ROO-31] stops before a held task after an answer and after a resume", async () => {
    const files = { [queuePath]: line("A") + line("B", held) };
    const asked = new NavigatorStage([asks("Which?"), completes()], { files });
    await asked.navigator.proceed();
    await asked.navigator.answer("ROO#TASK_A", "This");
    assert.deepEqual(goalsOf(asked.queueText), ["Goal B"]);

    let tellStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (tellStarted = resolve));
    const stopped = new NavigatorStage(
      [
        neverAnswers(() => {
          tellStarted();
        }),
        completes(),
      ],
      { files },
    );
    const running = stopped.navigator.proceed();
    await started;
    await stopped.navigator.stop();
    await running;
    await stopped.navigator.resume("ROO#TASK_A");
    assert.deepEqual(goalsOf(stopped.queueText), ["Goal B"]);
  });

  it("[R-ROO-31] does not go on after a single step, also when it asked something before a restart", async () => {
    const files = new MemoryFileSystem({ [queuePath]: line("A") + line("B") });
    const before = new NavigatorStage([asks("Which?")], { files });
    await before.navigator.proceed({ one: true });
    const after = new NavigatorStage([completes(), completes()], { files });
    assert.equal((await after.navigator.answer("ROO#TASK_A", "This")).status, "done");
    assert.deepEqual(goalsOf(after.queueText), ["Goal B"]);
    const steps = after.events.flatMap((event) => (event.type === "notice" ? event.steps : []));
    assert.deepEqual(
      steps.map(({ label }) => label),
      ["Proceed"],
    );

    // Said without --one, the queue runs as a whole again.
    const whole = new NavigatorStage([asks("Which?"), completes(), completes()], {
      files: { [queuePath]: line("A") + line("B") },
    });
    await whole.navigator.proceed();
    await whole.navigator.answer("ROO#TASK_A", "This");
    assert.equal(whole.queueText, "");
  });

  it("[R-ROO-21] says that the queue is done only if its last task is", async () => {
    const files = { [queuePath]: line("A") };
    const done = new NavigatorStage([completes()], { files });
    await done.navigator.proceed();
    assert.equal(done.notices.at(-1), "The task is done.");
    const failed = new NavigatorStage([completes({ status: "Failed" })], { files });
    assert.equal((await failed.navigator.proceed()).status, "failed");
    assert.ok(!failed.notices.includes("The task is done."));
  });
});

describe("a planner that stands in the queue", () => {
  const planner = line("P", { suggested_mode: "rooroo-planner" });

  it("[R-ROO-10] has its plan installed at once, and the chain goes on with it", async () => {
    const queue_tasks_json_lines = [step("One"), step("Two")];
    const stage = new NavigatorStage(
      [completes({ queue_tasks_json_lines }), completes(), completes(), completes()],
      { files: { [queuePath]: planner + line("B") } },
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.deepEqual(stage.started, [
      "ROO#TASK_P",
      "ROO#SUB_P_S001",
      "ROO#SUB_P_S002",
      "ROO#TASK_B",
    ]);
    assert.ok(stage.activity().includes("PLANNER_SUCCESS"));
  });

  it("[R-ROO-11] has its advice followed in its own place, or explained", async () => {
    const advice = (suggested_mode: string | null) =>
      completes({ status: "Advice", advice_details: { suggested_mode, refined_goal: "Refined" } });
    const followed = new NavigatorStage([advice("rooroo-analyzer"), completes(), completes()], {
      files: { [queuePath]: planner + line("B") },
    });
    assert.equal((await followed.navigator.proceed()).status, "done");
    assert.equal(followed.started.length, 3);
    assert.match(told(followed, 1), /--goal "Refined"/);
    assert.ok(followed.activity().includes("TASK_QUEUED"));

    const explained = new NavigatorStage([advice(null)], {
      files: { [queuePath]: planner + line("B") },
    });
    assert.equal((await explained.navigator.proceed()).status, "waiting");
    assert.deepEqual(goalsOf(explained.queueText), ["Goal B"]);
    assert.match(explained.notices.at(-1)!, /names no expert/);
  });
});

describe("a planner's lines", () => {
  it("[R-ROO-28] are read as a list of JSON strings", async () => {
    const queue_tasks_json_lines = [step("One"), step("Two")].map((one) => JSON.stringify(one));
    const stage = new NavigatorStage([
      plans,
      completes({ queue_tasks_json_lines }),
      completes(),
      completes(),
    ]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    assert.equal(stage.started.length, 3);
  });

  for (const [kind, bad] of [
    ["no JSON", "Then test it"],
    ["no expert's", JSON.stringify(step("Test", { suggested_mode: "designer" }))],
  ] as const) {
    it(`[R-ROO-28] are asked for again by name, and then queued without the bad one, which is shown: ${kind}`, async () => {
      const lines = [JSON.stringify(step("One")), bad, JSON.stringify(step("Three"))];
      const report = completes({ queue_tasks_json_lines: lines.join("\n"), message: "Planned" });
      const stage = new NavigatorStage((request) => {
        if (request.forcedTool) return plans;
        return request.messages[1]!.content.includes("PLAN_TASK") ? report : completes();
      });
      assert.equal((await stage.navigator.say("build it")).status, "done");
      const refused = stage.model.requests[2]!.messages.at(-1)!.content;
      assert.ok(refused.includes(kind === "no JSON" ? bad : "designer"), refused);
      assert.match(stage.ends[0]!, /^Done: Planned\n\nThese tasks of the plan cannot be used/);
      assert.ok(stage.ends[0]!.endsWith(`- Task 2: ${bad}`), stage.ends[0]);
      const { tasks } = await stage.navigator.overview();
      assert.deepEqual(
        tasks
          .filter(({ planId }) => planId !== null)
          .map(({ goal }) => goal)
          .sort(),
        ["One", "Three"],
      );
    });
  }
});

describe("the activity log", () => {
  it("[R-ROO-29] has a line for each kind of event", async () => {
    const seen = new Set<string>();
    const play = async (
      scripts: ConstructorParameters<typeof NavigatorStage>[0],
      act: (stage: NavigatorStage) => Promise<unknown>,
      text = "",
    ) => {
      const stage = new NavigatorStage(scripts, { files: { [queuePath]: text, "a.md": "x" } });
      await act(stage);
      for (const type of stage.activity()) seen.add(type);
      return stage;
    };
    const stopped: { stage?: NavigatorStage } = {};
    const say = (stage: NavigatorStage) => stage.navigator.say("do it");
    const queue_tasks_json_lines = [step("One")];
    await play([plans, completes({ queue_tasks_json_lines }), completes()], say);
    await play([plans, asks("Which?")], say);
    await play([plans, completes(), completes({ status: "Advice" })], say);
    await play(
      [
        direct,
        completes({ output_artifact_paths: ["no.md"] }),
        completes({ output_artifact_paths: ["a.md"] }),
      ],
      say,
    );
    await play((request) => (request.forcedTool ? direct : completes({ status: "Odd" })), say);
    await play([direct, asks("Which?"), completes()], async (stage) => {
      await say(stage);
      await stage.navigator.answer(stage.started[0]!, "This");
    });
    await play(
      [triages({ route: "queue", expert: "rooroo-developer", goal: "Later" }), completes()],
      say,
      `no JSON\n${line("X", { suggested_mode: "designer" })}`,
    );
    await play([], async (stage) => {
      const taskId = await stage.navigator.enqueue({ goal: "x", expert: "rooroo-developer" });
      await stage.navigator.queue.remove(taskId);
    });
    await play([direct, { error: new ModelError("unauthorised", "Refused.", {}) }], say);
    await play(
      [
        direct,
        () => {
          void stopped.stage?.navigator.stop();
          return completes();
        },
      ],
      async (stage) => {
        stopped.stage = stage;
        await say(stage);
      },
    );
    const halted = await play([], (stage) => stage.navigator.resume("ROO#TASK_NONE"));
    assert.match(halted.files.text(".rooroo/logs/activity.jsonl")!, /"severity":"CRITICAL"/);
    assert.deepEqual([...seen].sort(), [
      "ANNOUNCED",
      "AWAITING_USER_COMMAND",
      "EXPERT_REPORT_INVALID",
      "EXPERT_REPORT_RECEIVED",
      "EXPERT_UNEXPECTED_STATUS",
      "INVALID_TASK_IN_QUEUE",
      "PLANNER_ADVICE_RECEIVED",
      "PLANNER_NEEDS_CLARIFICATION",
      "PLANNER_SUCCESS",
      "PLAN_REPORT_INVALID",
      "PLAN_REQUEST_INITIATED",
      "QUEUE_PARSE_ERROR",
      "SYSTEM_HALT",
      "TASK_ABORTED",
      "TASK_ARTIFACTS_PRODUCED",
      "TASK_DELEGATED",
      "TASK_DELEGATION_FAILED",
      "TASK_DEQUEUED",
      "TASK_QUEUED",
      "TASK_RESUMED",
      "TASK_STOPPED",
      "TRIAGE_DECIDED",
    ]);
  });
});
