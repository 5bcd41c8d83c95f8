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
        '{"taskId":"ROO#TASK_B","goal_for_expert":5}',
        "not json",
        queueLine("A", { goal_for_expert: "Another goal" }).trim(),
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

  it("reads standard input for the file -", async () => {
    const stage = await Stage.open(plays({}, {}));
    const queue = await stage.runWith(queueLine("A"), "validate", "queue", "-");
    assert.deepEqual([queue.code, queue.stdout], [0, "-: 1 task, no problems.\n"]);
    const report = await stage.runWith("not json", "validate", "report", "-");
    assert.equal(report.code, 1);
    const envelope = await stage.runWith("{}", "validate", "envelope", "-");
    assert.equal(envelope.code, 1);
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
      text({ status: "Half done", message: 7, output_artifact_paths: ["a", 1] }),
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

  it("says of each envelope which rules it breaks", async () => {
    const step = (status: string) => [{ step: "1", title: "Look", status }];
    const command = { read: { path: "a" } };
    const stage = await Stage.open(plays({}, {}), {
      "one.json": JSON.stringify({ message: "m", plan: step("running"), command }, null, 2),
      "prose.md": 'Here:\n```json\n{"message": "m", "plan": []}\n```\n',
      "many.jsonl": [{ message: "m" }, { plan: [], command }, { message: "m", plan: step("done") }]
        .map((line) => JSON.stringify(line))
        .join("\n\n"),
      "plan.json": JSON.stringify({ message: "m", plan: step("running"), command }),
      "long.json": JSON.stringify({
        message: "m",
        plan: [...step("running"), { step: "2", title: "Tell", status: "pending" }],
        command,
      }),
      "broken.json": '{"message": ',
    });
    const run = (...args: string[]) => stage.run("validate", "envelope", ...args);
    const one = await run("one.json");
    assert.deepEqual([one.code, one.stdout], [0, "one.json: the envelope is valid.\n"]);
    assert.equal((await run("prose.md")).code, 0);
    const many = await run("many.jsonl");
    assert.equal(many.code, 1);
    const rules = many.stdout
      .trim()
      .split("\n")
      .map((line) => /^\S+:\d+: R-ENV-\d+\/[\w-]+/.exec(line)?.[0]);
    assert.deepEqual(rules, ["many.jsonl:3: R-ENV-1/message", "many.jsonl:5: R-ENV-2/status"]);
    const json = await run("many.jsonl", "--json");
    const verdicts = json.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { valid: boolean; rules: string[] });
    assert.deepEqual(
      verdicts.map(({ valid }) => valid),
      [true, false, false],
    );
    assert.deepEqual(verdicts[2]?.rules, ["R-ENV-2/status"]);
    assert.match((await run("broken.json")).stdout, /R-ENV-17\/not-json/);

    const hidden = await run("many.jsonl", "--previous-plan", "long.json");
    assert.match(hidden.stdout, /^many\.jsonl:1: R-ENV-4\/D2-hidden-plan: plan/);
    // The last step may have been done by the last command.
    const finished = await run("many.jsonl", "--previous-plan", "plan.json");
    assert.match(finished.stdout, /^many\.jsonl:3: /);
    const none = await run("one.json", "--previous-plan", "prose.md");
    assert.deepEqual([none.code, none.stdout], [64, ""]);
    assert.equal((await run("nothing.json")).code, 64);
  });

  it("tells programs the same as JSON", async () => {
    const stage = await Stage.open(plays({}, {}), { file: "{}" });
    const json = await stage.json("validate", "report", "file");
    assert.equal(json["valid"], false);
    const [problem] = json["problems"] as Record<string, unknown>[];
    assert.deepEqual([problem?.["line"], problem?.["field"]], [1, "status"]);
  });

  it("says of runs' tables which rows break which rule", async () => {
    const row = (status: string) => `| run-1 | Go \\| on | ${status} |  |  |  |`;
    const head =
      "| run_id | user_request | status | current_phase_id | current_stage_id | current_task_id |\n|-|-|-|-|-|-|";
    const stage = await Stage.open(plays({}, {}), {
      "db/process_runs.md": `${head}\n${row("PENDING")}\n`,
      "bad/process_runs.md": `${head}\n${row("RUNNING")}\n\n${row("PENDING")}\n`,
      "other.md": head,
    });
    const run = (...args: string[]) => stage.run("validate", "run-tables", ...args);
    const { code, stdout } = await run("db/process_runs.md", "bad/process_runs.md");
    assert.equal(code, 1);
    assert.deepEqual(stdout.trimEnd().split("\n"), [
      "db/process_runs.md: 1 row, no problems.",
      'bad/process_runs.md:3: R-MV-30: status says "RUNNING". It must be one of PENDING, AWAITING_CONFIRMATION, COMPLETED, FAILED.',
      "bad/process_runs.md:5: R-MV-29: This row is in no table: something above it, as an empty line, has ended it.",
    ]);
    const json = JSON.parse((await run("db/process_runs.md", "--json")).stdout) as object;
    assert.deepEqual(json, { file: "db/process_runs.md", valid: true, problems: [] });
    const other = await run("other.md");
    assert.deepEqual([other.code, other.stdout], [64, ""]);
    assert.match(other.stderr, /other\.md does not have the name of a run's table/);
  });
});
