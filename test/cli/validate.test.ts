import assert from "node:assert/strict";
import { plays, queueLine } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo validate", () => {
  afterEach(closeStages);

  async function check(kind: "queue" | "report", content: string) {
    const stage = await Stage.open(plays({}, {}), { file: content });
    const { code, stdout } = await stage.run("validate", kind, "file");
    return { code, lines: stdout.trimEnd().split("\n") };
  }

  it("says of each line of a queue what is wrong with it", async () => {
    const fine = await check("queue", `${queueLine("A")}\r\n${queueLine("B")}`);
    assert.deepEqual(fine, { code: 0, lines: ["file: 2 tasks, no problems."] });
    const { code, lines } = await check(
      "queue",
      [
        queueLine("A").trim(),
        "",
        '{"taskId":"ROO#TASK_B","goal_for_expert":""}',
        "not json",
        queueLine("A").trim(),
        queueLine("C", { suggested_mode: "AMBIGUOUS_EXPERT_CHOICE" }).trim(),
      ].join("\n"),
    );
    assert.equal(code, 1);
    assert.deepEqual(
      lines.map((line) => line.slice(0, 7)),
      ["file:3:", "file:4:", "file:5:", "file:6:"],
    );
    assert.match(lines[0] ?? "", /"suggested_mode": .*"goal_for_expert": /);
    assert.match(lines[1] ?? "", /not a JSON object/);
    assert.match(lines[2] ?? "", /queued already/);
  });

  it("names fields and lines of a report", async () => {
    const report = {
      status: "Done",
      message: "Fine",
      output_artifact_paths: ["a.md"],
      clarification_question: null,
      error_details: null,
    };
    const text = (more: object) => JSON.stringify({ ...report, ...more }, null, 2);
    assert.deepEqual(await check("report", text({})), {
      code: 0,
      lines: ["file: the report is valid."],
    });
    const wrong = await check(
      "report",
      text({ status: "Finished", message: 7, output_artifact_paths: ["a", 1] }),
    );
    assert.equal(wrong.code, 1);
    assert.deepEqual(
      wrong.lines.map((line) => line.split(": ").slice(0, 2).join(": ")),
      ["file:2: status", "file:3: message", "file:6: output_artifact_paths.1"],
    );
    const unasked = await check("report", text({ status: "NeedsClarification" }));
    assert.match(unasked.lines[0] ?? "", /^file:2: .*clarification_question/);
    const outside = await check("report", text({ output_artifact_paths: ["{{workspace}}/x"] }));
    assert.match(outside.lines[0] ?? "", /^file:5: output_artifact_paths\.0: .*relative/);
    const broken = await check("report", '{\n  "status": "Done",\n  oops\n}');
    assert.match(broken.lines[0] ?? "", /^file:3: This is not JSON/);
  });

  it("knows a planner's report", async () => {
    const plan = (tasks: unknown) =>
      JSON.stringify(
        { status: "Done", message: "Planned", queue_tasks_json_lines: tasks },
        null,
        1,
      );
    const task = { suggested_mode: "rooroo-developer", goal_for_expert: "Build" };
    assert.equal((await check("report", plan([task]))).code, 0);
    const { lines } = await check("report", plan([task, { ...task, goal_for_expert: "" }]));
    assert.match(lines[0] ?? "", /^file:11: queue_tasks_json_lines\.1\.goal_for_expert: /);
  });

  it("tells programs the same as JSON", async () => {
    const stage = await Stage.open(plays({}, {}), { file: "{}" });
    const json = await stage.json("validate", "report", "file");
    assert.equal(json["valid"], false);
    const [problem] = json["problems"] as Record<string, unknown>[];
    assert.deepEqual([problem?.["line"], problem?.["field"]], [1, "status"]);
  });
});
