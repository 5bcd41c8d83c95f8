import assert from "node:assert/strict";
import { calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { PlainSigner } from "../../../fakes/plainSigner.js";

const signer = new PlainSigner();
const own = "ROO#TASK_20250101000100_BBBB";
const earlier = "ROO#TASK_20250101000000_AAAA";
const part = `.rooroo/tasks/${earlier}/part.py`;
const line = `${JSON.stringify({
  taskId: own,
  suggested_mode: "rooroo-developer",
  goal_for_expert: "Improve the part",
})}\n`;

const improves = () => [
  calls("read_file", { path: part }),
  calls("write_to_file", { path: part, content: "print(2)\n" }),
  completes({ output_artifact_paths: [part] }),
];

describe("what an earlier task has left in its folder", () => {
  it("[R-ROO-30] is read, changed and reported by a task that came with the same folder", async () => {
    const stage = new NavigatorStage(improves(), {
      files: { ".rooroo/queue.jsonl": line, [part]: "print(1)\n" },
    });
    assert.equal((await stage.navigator.proceed()).status, "done");
    assert.equal(stage.files.text(part), "print(2)\n");
    assert.deepEqual(stage.ends, ["Done: All good"]);
  });

  it("[R-ROO-30] is changed as project files are: with approval where those need it", async () => {
    const stage = new NavigatorStage(improves(), {
      files: { ".rooroo/queue.jsonl": line, [part]: "print(1)\n" },
    });
    stage.preset = "safe";
    assert.equal((await stage.navigator.proceed()).status, "waiting");
    assert.equal(stage.files.text(part), "print(1)\n");
  });

  it("[R-ROO-30] is not changed where code keeps it, and not by a task of another plan", async () => {
    const record = (planId: string) => ({
      schema: 1,
      taskId: earlier,
      parentTaskId: null,
      planId,
      mode: "rooroo-developer",
      goal: "Make it",
      createdAt: "2025-01-01T00:00:00.000Z",
    });
    const path = `.rooroo/tasks/${earlier}/task.json`;
    const context = `.rooroo/tasks/${earlier}/context.md`;
    const stage = new NavigatorStage(
      [
        calls("write_to_file", { path: context, content: "Else" }),
        calls("read_file", { path: part }),
        calls("write_to_file", { path: part, content: "print(2)\n" }),
        completes({ output_artifact_paths: [] }),
      ],
      {
        files: {
          ".rooroo/queue.jsonl": line,
          [part]: "print(1)\n",
          [context]: "Make it",
          [path]: signer.file(path, record("ROO#PLAN_OTHER")),
        },
      },
    );
    await stage.navigator.proceed();
    assert.equal(stage.files.text(part), "print(1)\n");
    assert.equal(stage.files.text(context), "Make it");
  });

  it("[R-ROO-30] is changed and reported by a later task of the same plan", async () => {
    let made = "";
    const stage = new NavigatorStage((request) => {
      const [, { content: first }] = request.messages as [unknown, { content: string }];
      const turn = request.messages.filter(({ role }) => role === "assistant").length;
      if (first.includes("PLAN_TASK")) {
        const goals = ["Make the part", "Improve the part"];
        const mode = { suggested_mode: "rooroo-developer" };
        return completes({
          queue_tasks_json_lines: goals.map((goal_for_expert) => ({ ...mode, goal_for_expert })),
        });
      }
      const id = /--task-id (\S+)/.exec(first)?.[1] ?? "";
      if (first.includes('"Make the part"')) made = `.rooroo/tasks/${id}/part.py`;
      const content = first.includes('"Make the part"') ? "print(1)\n" : "print(2)\n";
      const steps = [
        calls("read_file", { path: made }),
        calls("write_to_file", { path: made, content }),
        completes({ output_artifact_paths: [made] }),
      ];
      return steps[turn]!;
    });
    await stage.navigator.say("/plan Build the part");
    assert.equal(stage.files.text(made), "print(2)\n");
    assert.equal(stage.ends.filter((end) => end.startsWith("Done")).length, 3);
  });
});
