import assert from "node:assert/strict";
import { taskIdPattern } from "../../../../src/core/documents/queue.js";
import { FileError } from "../../../../src/core/errors.js";
import { builtInModes } from "../../../../src/core/experts/builtInModes.js";
import { systemPrompt } from "../../../../src/core/experts/systemPrompt.js";
import { resilientFiles } from "../../../../src/core/navigator/recovery/resilientFiles.js";
import {
  executeTask,
  planTask,
  resumeTask,
} from "../../../../src/core/navigator/running/commands.js";
import { newTaskId, planIdOf, subTaskId } from "../../../../src/core/navigator/tasks/taskIds.js";
import { workspaceLink } from "../../../../src/core/text/workspaceLink.js";
import { ManualClock } from "../../../fakes/manualClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Fix it" });
const plans = triages({ route: "plan", goal: "Build it" });
const oneTask = [{ suggested_mode: "rooroo-developer", goal_for_expert: "Build" }];

describe("what is kept", () => {
  it("[R-ROO-1] lies below .rooroo/, at workspace-relative paths", async () => {
    const stage = new NavigatorStage([
      plans,
      completes({ queue_tasks_json_lines: oneTask }),
      calls("write_to_file", { path: "{{workspace}}/a.txt", content: "x" }),
      completes(),
    ]);
    await stage.navigator.say("build it");
    assert.ok(stage.files.paths.every((path) => path.startsWith(".rooroo/")));
    const [planner, task] = stage.started;
    for (const path of [
      `tasks/${planner}/context.md`,
      `tasks/${planner}/report.json`,
      `tasks/${task}/context.md`,
      `tasks/${task}/transcript.jsonl`,
      `plans/${planner!.replace("TASK", "PLAN")}.md`,
      "logs/activity.jsonl",
      "queue.jsonl",
    ]) {
      assert.ok(stage.files.paths.includes(`.rooroo/${path}`), path);
    }
    const refused = stage.model.requests.at(-1)!.messages.at(-1)!.content;
    assert.match(refused, /relative to the workspace/);
  });

  it("[R-ROO-29] is logged line by line in the activity log, and a log that fails stops nothing", async () => {
    const stage = new NavigatorStage([direct, completes({ message: "Fixed" })]);
    await stage.navigator.say("fix it");
    const lines = stage.files.text(".rooroo/logs/activity.jsonl")!.trim().split("\n");
    const report = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .find((line) => line["event_type"] === "EXPERT_REPORT_RECEIVED");
    assert.deepEqual(report, {
      timestamp: "2025-01-02T03:04:05.000Z",
      agent_slug: "rooroo-navigator",
      severity: "INFO",
      event_type: "EXPERT_REPORT_RECEIVED",
      task_id: stage.started[0],
      details: { expert: "rooroo-developer", status: "Done", message: "Fixed" },
      output_references: [],
    });

    const broken = new NavigatorStage([direct, completes()]);
    broken.files.beforeOperation = (operation, path) => {
      if (operation === "appendLines" && path.endsWith("activity.jsonl")) {
        throw new FileError("EACCES", path, "The log may not be written.");
      }
    };
    assert.equal((await broken.navigator.say("fix it")).status, "done");
    assert.ok(broken.notices.some((text) => text.includes("activity log could not be written")));
  });

  it("[R-ROO-18] logs every report with task, expert and status", async () => {
    const stage = new NavigatorStage([direct, completes({ status: "Failed", message: "No" })]);
    await stage.navigator.say("fix it");
    const line = stage.files.text(".rooroo/logs/activity.jsonl")!;
    assert.match(
      line,
      /"EXPERT_REPORT_RECEIVED","task_id":"ROO#TASK_\w+",.*"expert":"rooroo-developer","status":"Failed"/,
    );
    assert.match(line, /"severity":"ERROR"/);
  });

  it("[R-ROO-24] has ids that code makes, whatever a planner writes", async () => {
    const mine = ".rooroo/tasks/My Task #7/context.md";
    const stage = new NavigatorStage([
      plans,
      calls("write_to_file", { path: mine, content: "All that matters.\n" }),
      completes({
        queue_tasks_json_lines: [
          { ...oneTask[0], taskId: "../../evil", context_file_path: mine },
          { ...oneTask[0], taskId: "ROO#TASK_TAKEN", context_file_path: "../../etc/passwd" },
        ],
      }),
      completes(),
      completes(),
    ]);
    assert.equal((await stage.navigator.say("build it")).status, "done");
    const [planner, first, second] = stage.started;
    for (const id of stage.started) assert.match(id, taskIdPattern);
    assert.match(planner!, /^ROO#TASK_20250102030405_[0-9A-F]{6}$/);
    assert.equal(first, `${planner!.replace("TASK", "SUB")}_S001`);
    assert.equal(second, `${planner!.replace("TASK", "SUB")}_S002`);
    assert.equal(stage.files.text(`.rooroo/tasks/${first}/context.md`), "All that matters.\n");
    assert.equal(stage.files.text(mine), undefined);
    assert.match(stage.files.text(`.rooroo/tasks/${second}/context.md`)!, /Build/);
  });

  it("[R-ROO-24] has ids that say kind, time and a number, and links that take them whole", () => {
    const id = newTaskId("TASK", new ManualClock(), { hex: () => "ab12cd" });
    assert.equal(id, "ROO#TASK_20250102030405_AB12CD");
    assert.equal(planIdOf(id), "ROO#PLAN_20250102030405_AB12CD");
    assert.equal(subTaskId(id, 7), "ROO#SUB_20250102030405_AB12CD_S007");
    assert.equal(workspaceLink("a/ROO#1 b.md"), "[a/ROO#1 b.md](/a/ROO%231%20b.md)");
  });

  it("[R-ROO-30] is not changed by an expert without write access, neither by a tool nor by a command", async () => {
    const looks = triages({ route: "direct", expert: "rooroo-analyzer", goal: "Look" });
    const stage = new NavigatorStage([
      looks,
      calls("write_to_file", { path: "a.js", content: "x" }),
      calls("execute_command", { command: "echo x > a.js" }),
      calls("execute_command", { command: "make" }),
      completes(),
    ]);
    await stage.navigator.say("look into it");
    const results = stage.model.requests.slice(2).map(({ messages }) => messages.at(-1)!.content);
    assert.match(results[0]!, /rooroo-analyzer may write only files below/);
    assert.match(results[1]!, /rooroo-analyzer may write only files below.*would write a\.js/);
    assert.equal(stage.approvals.length, 1, "what a command writes unseen is asked about");
    assert.deepEqual(stage.shell.requests, []);
  });

  it("[R-ROO-2] is safe from an expert that writes over a context", async () => {
    const other = ".rooroo/tasks/ROO#TASK_OTHER/context.md";
    const stage = new NavigatorStage(
      [
        plans,
        calls("read_file", { path: other }),
        calls("write_to_file", { path: other, content: "changed" }),
        completes({ queue_tasks_json_lines: oneTask }),
        completes(),
      ],
      { files: { [other]: "mine" } },
    );
    await stage.navigator.say("build it");
    assert.equal(stage.files.text(other), "mine");
    assert.match(stage.model.requests[3]!.messages.at(-1)!.content, /never changes/);
  });

  it("[R-ROO-23] survives a write that fails once for a passing reason", async () => {
    const failedOnce = new Set<string>();
    const stage = new NavigatorStage([
      direct,
      calls("write_to_file", { path: "a", content: "x" }),
      completes(),
    ]);
    stage.files.beforeOperation = (operation, path) => {
      if (!/^(replaceFile|createFile|appendLines)$/.test(operation)) return;
      const key = `${operation} ${path}`;
      if (failedOnce.has(key)) return;
      failedOnce.add(key);
      throw new FileError("EBUSY", path, "busy");
    };
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.ok(failedOnce.size > 5);
  });

  it("[R-ROO-23] tries a write once more for a passing reason, and for no other", async () => {
    for (const [code, tries] of [
      ["EBUSY", 2],
      ["ENOSPC", 1],
    ] as const) {
      const files = new MemoryFileSystem();
      let count = 0;
      files.beforeOperation = (_, path) => {
        count++;
        throw new FileError(code, path, "no");
      };
      await assert.rejects(resilientFiles(files).createFile("a", "x"), { code });
      assert.equal(count, tries, code);
    }
  });

  it("keeps the task when a write fails for good, and says why", async () => {
    const stage = new NavigatorStage([direct, completes(), completes()]);
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "replaceFile" && path.endsWith("report.json")) {
        throw new FileError("ENOSPC", path, "The disk is full. Make room and resume the task.");
      }
    };
    assert.equal((await stage.navigator.say("fix it")).status, "failed");
    assert.ok([...stage.ends, ...stage.notices].some((text) => text.includes("disk is full")));
    delete stage.files.beforeOperation;
    assert.equal((await stage.navigator.resume(stage.started[0]!)).status, "done");
    assert.equal(
      stage.model.requests.length,
      2,
      "the report that was there is not asked for again",
    );
  });
});

describe("what is said", () => {
  it("[R-ROO-9] a plan request is announced, logged, and goes to the planner only", async () => {
    const stage = new NavigatorStage([plans, completes({ status: "Failed", message: "Cannot" })]);
    await stage.navigator.say("build it");
    const id = stage.started[0]!;
    const [, { messages } = { messages: [] }, ...more] = stage.model.requests;
    assert.match(messages[0]!.content, /You are rooroo-planner/);
    assert.match(
      messages[1]!.content,
      /^COMMAND: PLAN_TASK --task-id (\S+) --context-file \.rooroo\/tasks\/\1\/context\.md\n/,
    );
    assert.equal(more.length, 0);
    assert.equal(
      stage.announced[0]?.text,
      `Request requires planning. ID: \`${id}\`. Consulting \`rooroo-planner\`...`,
    );
    assert.equal(stage.notices[0], "Planner is on it.");
    assert.ok(stage.activity().includes("PLAN_REQUEST_INITIATED"));
    assert.match(stage.files.text(`.rooroo/tasks/${id}/context.md`)!, /Build it/);
  });

  it("[R-ROO-12] a planner's question is asked, and its failure told", async () => {
    const asking = new NavigatorStage([
      plans,
      completes({ status: "NeedsClarification", message: "?", clarification_question: "Which?" }),
      completes({ queue_tasks_json_lines: oneTask }),
      completes(),
    ]);
    assert.equal((await asking.navigator.say("build it")).status, "waiting");
    assert.equal(asking.questions[0]!.text, "Which?");
    assert.ok(asking.activity().includes("PLANNER_NEEDS_CLARIFICATION"));
    assert.equal((await asking.navigator.answer(asking.started[0]!, "This")).status, "done");
    assert.equal(asking.queueText, "");

    const failing = new NavigatorStage([plans, completes({ status: "Failed", message: "Cannot" })]);
    assert.equal((await failing.navigator.say("build it")).status, "failed");
    assert.deepEqual(failing.ends, ["Failed: Cannot"]);
    assert.equal(failing.activity().at(-1), "AWAITING_USER_COMMAND");
    assert.equal(
      failing.announced.at(-1)?.text,
      `Task \`${failing.started[0]}\` (rooroo-planner) status: \`Failed\`. Cannot`,
    );
  });

  it("[R-ROO-8] triage is told when to plan: asked for, several experts, or in doubt", async () => {
    const stage = new NavigatorStage([triages({ route: "acknowledge" })]);
    await stage.navigator.say("hi");
    const rules = stage.model.requests[0]!.messages[0]!.content;
    assert.match(
      rules,
      /plan: they ask for a plan; or it takes several experts, or steps that depend on one another; or it is complex, or its scope is unclear\. In doubt: plan\./,
    );
  });

  it("[R-ROO-4] experts are told how to work, in every mode", () => {
    for (const mode of builtInModes.values()) {
      const prompt = systemPrompt(mode, { shell: "bash", assignable: [], instructions: "" });
      assert.match(prompt, /Investigate, plan, work in small steps, check/);
      assert.match(prompt, /all independent calls of the next step in one reply/);
      assert.match(prompt, /Never submit a partial result/);
      assert.match(prompt, /Act on what you have seen, not on what you suppose/);
    }
  });

  it("[R-ROO-27] commands always name the context file", async () => {
    const stage = new NavigatorStage([direct, asks("Which?"), completes()]);
    await stage.navigator.say("fix it");
    await stage.navigator.answer(stage.started[0]!, "That");
    for (const request of stage.model.requests.slice(1)) {
      for (const message of request.messages) {
        if (message.content.startsWith("COMMAND:"))
          assert.match(message.content, /--context-file \S/);
      }
    }
  });

  it("[R-ROO-27] commands have the protocol's form to the letter, with what was said in quotes", () => {
    const task = { taskId: "ROO#TASK_1", contextPath: "notes/c.md", goal: 'Say "hi"' };
    assert.equal(
      planTask(task),
      "COMMAND: PLAN_TASK --task-id ROO#TASK_1 --context-file notes/c.md",
    );
    assert.equal(
      executeTask(task),
      'COMMAND: EXECUTE_TASK --task-id ROO#TASK_1 --context-file notes/c.md --goal "Say \\"hi\\""',
    );
    assert.equal(
      resumeTask(task, "In\nGerman"),
      'COMMAND: RESUME_TASK --task-id ROO#TASK_1 --clarification "In\\nGerman" --original-goal "Say \\"hi\\"" --context-file notes/c.md',
    );
  });

  it("[R-ROO-3] artifacts are files of the workspace, named from its root, and no other task's", async () => {
    const others = ".rooroo/tasks/ROO#TASK_X/findings.md";
    for (const [path, reason] of [
      ["/workspace/a.txt", /^\/workspace\/a\.txt: write paths relative to the workspace root/],
      [
        "{{workspace}}/a.txt",
        /^\{\{workspace\}\}\/a\.txt: write paths relative to the workspace root/,
      ],
      ["../a.txt", /^\.\.\/a\.txt is outside the workspace/],
      ["b.txt", /b\.txt, which does not exist/],
      [others, /ROO#TASK_X\/findings\.md, which is not this task's/],
    ] as const) {
      const names = (name: string) => completes({ output_artifact_paths: [name] });
      const stage = new NavigatorStage([direct, names(path), names("a.txt")], {
        files: { "a.txt": "a", [others]: "x" },
      });
      assert.equal((await stage.navigator.say("fix it")).status, "done");
      assert.match(stage.model.requests[2]!.messages.at(-1)!.content, reason);
    }
  });

  it("[R-ROO-3] an artifact may lie in a folder whose name has braces, as templates of projects have", async () => {
    const path = "{{cookiecutter.name}}/README.md";
    const stage = new NavigatorStage([direct, completes({ output_artifact_paths: [path] })], {
      files: { [path]: "x" },
    });
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.equal(stage.model.requests.length, 2);
  });

  it("[R-ROO-20] a report with an unknown status is asked for again, then told as it is, with what the expert says", async () => {
    const stage = new NavigatorStage([
      direct,
      completes({ status: "Half done" }),
      completes({ message: "Fixed" }),
    ]);
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.match(stage.model.requests[2]!.messages.at(-1)!.content, /status: .*"Done"/);
    assert.ok(stage.activity().includes("EXPERT_REPORT_INVALID"));

    const stubborn = new NavigatorStage((request) =>
      request.forcedTool ? direct : completes({ status: "Half done" }),
    );
    assert.equal((await stubborn.navigator.say("fix it")).status, "failed");
    const [taskId] = stubborn.started;
    assert.equal(stubborn.ends.length, 1);
    assert.equal(stubborn.ends[0], "Stopped: Unexpected status: `Half done`. All good");
    assert.equal(
      stubborn.announced.at(-1)?.text,
      `Task \`${taskId}\` (rooroo-developer) returned an unexpected status: \`Half done\`. All good`,
    );
    assert.ok(stubborn.activity().includes("EXPERT_UNEXPECTED_STATUS"));
    assert.equal(stubborn.activity().at(-1), "AWAITING_USER_COMMAND");
  });

  it("[R-ROO-22] next steps are offered where none follows by itself", async () => {
    const steps = (stage: NavigatorStage) =>
      stage.events.flatMap((event) =>
        event.type === "notice" ? event.steps.map(({ label }) => label) : [],
      );
    const failed = new NavigatorStage([direct, completes({ status: "Failed" }), completes()]);
    await failed.navigator.say("fix it");
    assert.deepEqual(steps(failed), ["Try Again", "Plan It Instead"]);
    assert.equal((await failed.navigator.say(`/resume ${failed.started[0]!}`)).status, "done");

    const ideas = ".rooroo/brainstorming/names.md";
    const sparked = new NavigatorStage([
      triages({ route: "brainstorm", goal: "Names" }),
      calls("write_to_file", { path: ideas, content: "# Names\n" }),
      completes({ output_artifact_paths: [ideas] }),
    ]);
    await sparked.navigator.say("brainstorm names");
    assert.deepEqual(steps(sparked), ["Send to Planner"]);

    const waiting = `{"taskId":"ROO#TASK_1","suggested_mode":"rooroo-developer","goal_for_expert":"Tidy up"}\n`;
    const beside = new NavigatorStage([direct, completes()], {
      files: { ".rooroo/queue.jsonl": waiting },
    });
    await beside.navigator.say("fix it");
    assert.deepEqual(steps(beside), ["Proceed"]);
  });

  it("[R-ROO-11] advice is queued where a chain waits, and explained where it names no expert", async () => {
    const advice = (suggested_mode: string | null) =>
      completes({
        status: "Advice",
        message: "One step",
        advice_details: { suggested_mode, refined_goal: "Just do it" },
      });
    const old =
      '{"taskId":"ROO#TASK_OLD","suggested_mode":"rooroo-analyzer","goal_for_expert":"Old"}\n';
    const queued = new NavigatorStage(
      [plans, advice("rooroo-developer"), completes(), completes()],
      {
        files: { ".rooroo/queue.jsonl": old },
      },
    );
    assert.equal((await queued.navigator.say("build it")).status, "done");
    assert.ok(queued.activity().includes("PLANNER_ADVICE_RECEIVED"));
    assert.ok(queued.activity().includes("TASK_QUEUED"));
    assert.equal(queued.queueText, "");

    const unclear = new NavigatorStage([plans, advice(null)]);
    assert.equal((await unclear.navigator.say("build it")).status, "waiting");
    assert.match(unclear.notices.at(-1)!, /names no expert/);

    for (const [expert, name] of [
      ["rooroo-documenter", "Documenter"],
      ["rooroo-idea-sparker", "Idea Sparker"],
      ["pilot", "Pilot"],
    ] as const) {
      const other = new NavigatorStage([plans, advice(expert)], { documenter: true });
      assert.equal((await other.navigator.say("build it")).status, "waiting");
      const told = other.notices.at(-1)!;
      assert.ok(told.includes(`It suggests the ${name}, but only the developer`), told);
    }
  });
});

describe("a report that never comes", () => {
  it("[R-ROO-32] fails the task with the model's last words, all of it kept in the transcript", async () => {
    const words = "I changed everything you asked for, trust me.";
    const stage = new NavigatorStage((request) => (request.forcedTool ? direct : { text: words }));
    assert.equal((await stage.navigator.say("fix it")).status, "failed");
    assert.match(
      stage.ends[0]!,
      /^Failed: The model scripted answered 6 times without a valid envelope \(R-ENV-17\/not-json\)/,
    );
    assert.ok(stage.ends[0]!.includes(words));
    const report = stage.json(`.rooroo/tasks/${stage.started[0]!}/report.json`);
    assert.ok((report["error_details"] as string).includes(words));
    const transcript = stage.files.text(`.rooroo/tasks/${stage.started[0]!}/transcript.jsonl`)!;
    assert.equal(transcript.split(words).length - 1, 3 + 6);
  });

  it("[R-ROO-32] is recovered from text, and the chain goes on", async () => {
    const report = JSON.stringify({ status: "Done", message: "Fixed" });
    const stage = new NavigatorStage([direct, { text: `Finished!\n\n${report}` }]);
    assert.equal((await stage.navigator.say("fix it")).status, "done");
    assert.deepEqual(stage.ends, ["Done: Fixed"]);
  });
});

describe("going on after a restart", () => {
  it("[R-ROO-32] a task that has reported leaves the queue and is not done again, even if its transcript is gone", async () => {
    const files = new MemoryFileSystem({
      ".rooroo/queue.jsonl": `{"taskId":"ROO#TASK_A","suggested_mode":"rooroo-developer","goal_for_expert":"A"}\n`,
    });
    files.beforeOperation = (operation, path) => {
      if (operation === "replaceFile" && path === ".rooroo/queue.jsonl") throw new Error("killed");
    };
    const first = new NavigatorStage([completes()], { files });
    await first.navigator.proceed().catch(() => undefined);
    assert.match(first.queueText, /TASK_A/);
    delete files.beforeOperation;
    await files.removeFile(".rooroo/tasks/ROO#TASK_A/transcript.jsonl");

    const second = new NavigatorStage([], { files });
    assert.equal((await second.navigator.proceed()).status, "done");
    assert.equal(second.queueText, "");
    assert.equal(second.model.requests.length, 0);
  });

  it("[R-ROO-32] a plan that was queued before is not queued again, so that a task that was taken out stays out", async () => {
    const planner = `{"taskId":"ROO#TASK_P","suggested_mode":"rooroo-planner","goal_for_expert":"Plan it"}\n`;
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": planner });
    let changes = 0;
    files.beforeOperation = (operation, path) => {
      if (operation !== "replaceFile" || path !== ".rooroo/queue.jsonl") return;
      if (++changes > 1) throw new Error("killed");
    };
    const tasks = completes({ queue_tasks_json_lines: [...oneTask, ...oneTask] });
    const first = new NavigatorStage([tasks], { files });
    await first.navigator.proceed().catch(() => undefined);
    const lines = first.queueText.split("\n");
    assert.deepEqual(
      lines.map((line) => /"taskId":"ROO#(\w+)"/.exec(line)?.[1]),
      ["SUB_P_S001", "SUB_P_S002", "TASK_P", undefined],
    );
    delete files.beforeOperation;
    files.put(".rooroo/queue.jsonl", `${lines[2]}\n${lines[0]}\n`);

    const second = new NavigatorStage([completes(), completes()], { files });
    await second.navigator.proceed();
    assert.deepEqual(second.started, ["ROO#SUB_P_S001"]);
    assert.equal(second.queueText, "");
  });

  it("[R-ROO-21] a chain that was cut off goes on by itself, a stopped one does not", async () => {
    const line = (id: string) =>
      `{"taskId":"ROO#TASK_${id}","suggested_mode":"rooroo-developer","goal_for_expert":"${id}"}\n`;
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": line("A") + line("B") });
    const dead = { yet: false };
    files.beforeOperation = () => {
      if (dead.yet) throw new Error("killed");
    };
    const first = new NavigatorStage(
      [
        () => {
          dead.yet = true;
          return completes();
        },
      ],
      { files },
    );
    await first.navigator.proceed();
    dead.yet = false;

    const second = new NavigatorStage([completes(), completes()], { files });
    const idle = new Promise<void>((resolve) => {
      const check = (): void => {
        if (!second.navigator.busy) resolve();
        else setImmediate(check);
      };
      void second.navigator.recover(() => false, { goOn: true }).then(check);
    });
    await idle;
    assert.deepEqual(second.started, ["ROO#TASK_A", "ROO#TASK_B"]);
    assert.equal(second.queueText, "");

    const third = new NavigatorStage([], { files });
    await third.navigator.recover(() => false, { goOn: true });
    assert.equal(third.navigator.busy, false);
  });
});
