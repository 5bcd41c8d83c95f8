import assert from "node:assert/strict";
import { newConversation } from "../../../../src/core/conversation/state/conversationState.js";
import { applyEvent } from "../../../../src/core/conversation/state/reduce.js";
import { replyRemark } from "../../../../src/core/conversation/state/replyRemark.js";
import { ModelError } from "../../../../src/core/errors.js";
import { english } from "../../../../src/core/text/translator.js";
import { HastyClock } from "../../../fakes/hastyClock.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { MemoryLock } from "../../../fakes/memoryLock.js";
import { asks, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { type ModelScript, neverAnswers } from "../../../fakes/scriptedModel.js";

function line(id: string, more: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    taskId: `ROO#TASK_${id}`,
    parentTaskId: null,
    suggested_mode: "rooroo-developer",
    context_file_path: `.rooroo/tasks/ROO#TASK_${id}/context.md`,
    goal_for_expert: `Goal ${id}`,
    ...more,
  })}\n`;
}

function queue(...lines: string[]): { files: Record<string, string> } {
  return { files: { ".rooroo/queue.jsonl": lines.join("") } };
}

describe("the queue's chain", () => {
  it("[R-ROO-17] dispatches from the head and reports before it removes", async () => {
    const order: string[] = [];
    const stage = new NavigatorStage([completes(), completes()], queue(line("A"), line("B")));
    stage.files.beforeOperation = (operation, path) => {
      if (operation === "replaceFile") order.push(path.replace(/.*\//, ""));
    };
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.deepEqual(stage.started, ["ROO#TASK_A", "ROO#TASK_B"]);
    assert.deepEqual(order, ["report.json", "queue.jsonl", "report.json", "queue.jsonl"]);
    assert.deepEqual(
      stage.announced.filter(({ code }) => code === "queued_task_begins").map(({ text }) => text),
      ["A", "B"].map(
        (id) => `Processing queued task: ROO#TASK_${id}. Delegating to rooroo-developer...`,
      ),
    );
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-20] takes a task out of the queue when it is done or has failed, leaves the rest, and tells how it ended", async () => {
    const stage = new NavigatorStage(
      [completes(), completes({ status: "Failed", message: "No" })],
      queue(line("A"), line("B"), line("C")),
    );
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.equal(stage.queueText, line("C"));
    assert.deepEqual(stage.ends, ["Done: All good", "Failed: No"]);
    assert.deepEqual(
      stage.announced.filter(({ code }) => code === "task_ended").map(({ text }) => text),
      [
        "Task `ROO#TASK_A` (rooroo-developer) status: `Done`. All good",
        "Task `ROO#TASK_B` (rooroo-developer) status: `Failed`. No",
      ],
    );
  });

  it("[R-ROO-31] runs a single step when asked for one, and stops before auto_proceed_plan: false", async () => {
    const one = new NavigatorStage([completes()], queue(line("A"), line("B")));
    await one.navigator.proceed({ one: true });
    assert.equal(one.queueText, line("B"));
    assert.deepEqual(one.started, ["ROO#TASK_A"]);

    const held = line("B", { auto_proceed_plan: false });
    const halted = new NavigatorStage([completes(), completes()], queue(line("A"), held));
    await halted.navigator.proceed();
    assert.equal(halted.queueText, held);
    await halted.navigator.proceed();
    assert.equal(halted.queueText, "");
  });

  it("[R-ROO-21] does not start a task that waits for the user's word after an answer or a resume", async () => {
    const held = line("B", { auto_proceed_plan: false });
    const asked = new NavigatorStage(
      [asks("Which port?"), completes(), completes()],
      queue(line("A"), held),
    );
    await asked.navigator.proceed();
    assert.equal((await asked.navigator.answer("ROO#TASK_A", "80")).status, "done");
    assert.equal(asked.queueText, held);
    assert.match(asked.notices.at(-1)!, /`ROO#TASK_B` starts only when you say so/);
    await asked.navigator.proceed();
    assert.equal(asked.queueText, "");

    const resumed = new NavigatorStage(
      [
        { error: new ModelError("unauthorised", "The key was refused.", {}) },
        completes(),
        completes(),
      ],
      queue(line("A"), held),
    );
    assert.equal((await resumed.navigator.proceed()).status, "failed");
    await resumed.navigator.resume("ROO#TASK_A");
    assert.equal(resumed.queueText, held);
  });

  it("does not call the queue done after a last task that failed", async () => {
    const failed = { status: "Failed", message: "No way", error_details: "x" };
    const stage = new NavigatorStage([completes(failed)], queue(line("A")));
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.equal(stage.queueText, "");
    assert.ok(!stage.notices.some((text) => text.includes("queue is done")), stage.notices.join());
  });

  it("[R-ROO-10] installs the plan of a planner that was queued before the tasks after it", async () => {
    const planner = line("A", { suggested_mode: "rooroo-planner" });
    const planned = [
      { suggested_mode: "rooroo-analyzer", goal_for_expert: "Look" },
      { suggested_mode: "rooroo-developer", goal_for_expert: "Build" },
    ];
    const stage = new NavigatorStage(
      [completes({ queue_tasks_json_lines: planned }), completes(), completes(), completes()],
      queue(planner, line("B")),
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
    const ids = ["ROO#TASK_A", "ROO#SUB_A_S001", "ROO#SUB_A_S002", "ROO#TASK_B"];
    assert.deepEqual(stage.started, ids);
    assert.equal(stage.queueText, "");
  });

  it("[R-ROO-25] keeps lines that were added and changed while a task ran, and foreign lines, to the byte", async () => {
    const foreign = '{"broken": \r\n';
    const added = line("C", { note: "by hand" });
    const stage = new NavigatorStage(
      [
        () => {
          stage.files.put(".rooroo/queue.jsonl", foreign + line("A") + added);
          return completes();
        },
        completes(),
      ],
      queue(foreign, line("A")),
    );
    await stage.navigator.proceed({ one: true });
    assert.equal(stage.queueText, foreign + added);
    assert.match(stage.notices[0]!, /line 1, is passed over.*not a JSON object/);
  });

  it("[R-ROO-19] waits at a question, and the same expert goes on with the answer", async () => {
    const stage = new NavigatorStage(
      [asks("Which port?", ["80", "443"]), completes(), completes()],
      queue(line("A"), line("B")),
    );
    assert.equal((await stage.navigator.proceed()).status, "waiting");
    assert.equal(stage.queueText, line("A") + line("B"));
    assert.deepEqual(
      stage.questions.map(({ text }) => text),
      ["Which port?"],
    );
    const overview = await stage.navigator.overview();
    assert.equal(overview.tasks[0]!.state, "needsYou");
    assert.equal(overview.tasks[0]!.question!.text, "Which port?");

    assert.equal((await stage.navigator.answer("ROO#TASK_A", "443")).status, "done");
    assert.deepEqual(stage.model.requests[1]!.messages.slice(0, 4).at(-1), {
      role: "tool",
      callId: "call_1",
      content: "443",
    });
    assert.equal(stage.queueText, "", "the chain goes on after the answered task");
  });

  it("[R-ROO-19] resumes with RESUME_TASK after a report that needs clarification, also after a restart", async () => {
    const files = new MemoryFileSystem({ ".rooroo/queue.jsonl": line("A") });
    const before = new NavigatorStage(
      [
        completes({
          status: "NeedsClarification",
          message: "Unclear",
          clarification_question: "Which one?",
        }),
      ],
      { files },
    );
    assert.equal((await before.navigator.proceed()).status, "waiting");
    assert.equal(before.questions[0]!.text, "Which one?");

    const after = new NavigatorStage([completes()], { files });
    await after.navigator.recover(() => false);
    assert.equal(after.questions[0]!.text, "Which one?");
    assert.equal((await after.navigator.answer("ROO#TASK_A", 'the "left" one')).status, "done");
    const last = after.model.requests[0]!.messages.findLast(({ role }) => role === "user")!;
    assert.equal(
      last.content,
      'COMMAND: RESUME_TASK --task-id ROO#TASK_A --clarification "the \\"left\\" one" --original-goal "Goal A" --context-file .rooroo/tasks/ROO#TASK_A/context.md',
    );
    assert.equal(after.queueText, "");
  });

  it("keeps the task in the queue when the model fails, and goes on when it is back", async () => {
    const stage = new NavigatorStage(
      [{ error: new ModelError("unauthorised", "The key was refused.", {}) }, completes()],
      queue(line("A")),
    );
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.equal(stage.queueText, line("A"));
    assert.deepEqual(stage.ends, ["Stopped: The key was refused."]);
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.equal(stage.queueText, "");
  });

  it("asks a model that fails in passing again, then lets the task wait, and goes on when it is back", async () => {
    const busy = new ModelError("server", "It is busy.", {});
    const stage = new NavigatorStage(
      [...Array<ModelScript>(4).fill({ text: "I wr", error: busy }), completes()],
      { ...queue(line("A")), clock: new HastyClock() },
    );
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.deepEqual(stage.ends, ["Stopped: It is busy. No answer after 4 tries."]);
    const state = newConversation();
    for (const event of stage.events) applyEvent(state, event);
    const said = state.items.filter((item) => item.kind === "text");
    assert.deepEqual(
      said.map((item) => [item.text, replyRemark(item, english), item.streaming]),
      [["", "The server failed; retrying (attempt 4 of 4).", false]],
    );
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.equal(stage.queueText, "");
  });

  it("stops at once, keeps the task, and does not start the next", async () => {
    let tellStarted: () => void = () => undefined;
    const started = new Promise<void>((resolve) => (tellStarted = resolve));
    const stage = new NavigatorStage(
      [
        neverAnswers(() => {
          tellStarted();
        }),
        completes(),
        completes(),
      ],
      queue(line("A"), line("B")),
    );
    const running = stage.navigator.proceed();
    await started;
    assert.equal(stage.navigator.busy, true);
    await stage.navigator.stop();
    assert.equal((await running).status, "failed");
    assert.equal(stage.navigator.busy, false);
    assert.equal(stage.queueText, line("A") + line("B"));
    assert.deepEqual(stage.started, ["ROO#TASK_A"]);
    assert.equal((await stage.navigator.proceed()).status, "done");
  });

  it("says who holds the queue instead of running a task twice", async () => {
    const lock = new MemoryLock();
    lock.occupy("drain", "VS Code");
    const stage = new NavigatorStage([], { ...queue(line("A")), lock });
    assert.equal((await stage.navigator.proceed()).status, "waiting");
    assert.match(stage.notices[0]!, /worked on by VS Code \(process 4242/);
    assert.equal(stage.started.length, 0);
  });

  it("refuses the late result of a process whose task was taken over", async () => {
    const lock = new MemoryLock();
    const stage: NavigatorStage = new NavigatorStage(
      [
        () => {
          lock.occupy("task-ROO-TASK_A", "another window");
          return completes();
        },
      ],
      { ...queue(line("A")), lock },
    );
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.equal(stage.files.text(".rooroo/tasks/ROO#TASK_A/report.json"), undefined);
    assert.equal(stage.queueText, line("A"));
    assert.match(stage.ends[0]!, /took this over/);
  });

  it("refuses a context file outside the workspace that a queue line names", async () => {
    const stage = new NavigatorStage(
      [],
      queue(line("A", { context_file_path: "../../etc/passwd" })),
    );
    assert.equal((await stage.navigator.proceed()).status, "failed");
    assert.match(stage.ends[0] ?? stage.notices.at(-1)!, /outside the workspace/);
    assert.equal(stage.model.requests.length, 0);
  });

  for (const [path, why] of [
    [".env", "may hold keys or passwords"],
    ["private/notes.md", "is hidden from experts by .rooignore"],
    ["link.md", "is a link to .env, which may hold keys or passwords"],
    ["folder", "is not a regular file"],
    ["long.md", "is longer than 1.0 MB"],
  ] as const) {
    it(`refuses a context file that ${why}, and keeps the line`, async () => {
      const text = line("A", { context_file_path: path });
      const files = new MemoryFileSystem({
        ".rooroo/queue.jsonl": text,
        ".rooignore": "private/\n",
        ".env": "KEY=secret",
        "private/notes.md": "secret",
        "folder/file": "",
        "long.md": "x".repeat(1_000_001),
      });
      files.link("link.md", ".env");
      const stage = new NavigatorStage([], { files });
      assert.equal((await stage.navigator.proceed()).status, "failed");
      assert.equal(stage.model.requests.length, 0);
      assert.equal(stage.queueText, text);
      assert.ok(
        stage.notices.includes(
          `The context file ${path} ${why}, so it is not given to an expert. Correct "context_file_path" in the task's line of the queue.`,
        ),
        stage.notices.join("\n"),
      );
    });
  }
});
