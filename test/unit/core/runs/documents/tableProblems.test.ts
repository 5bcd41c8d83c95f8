import assert from "node:assert/strict";
import {
  readRunTable,
  runTables,
  type TableName,
} from "../../../../../src/core/runs/documents/runTables.js";
import { tableProblems } from "../../../../../src/core/runs/documents/tableProblems.js";
import { spoken } from "../../../../../src/core/text/words.js";

const told = (name: TableName, text: string) =>
  tableProblems(name, readRunTable(name, text)).map(
    ({ row, rule, message }) => `${row + 1} ${rule} ${spoken(message)}`,
  );

/** Returns a table of that name with these rows. */
function table(name: TableName, ...rows: readonly string[]): string {
  const columns: readonly string[] = runTables[name];
  const lines = [columns.join(" | "), columns.map(() => ":---").join(" | "), ...rows];
  return lines.map((line) => `| ${line} |\n`).join("");
}

const run = "run-20260301-101500-001";

describe("problems of runs' tables", () => {
  it("[R-MV-29] has the columns of the protocol, in its order", () => {
    const columns = Object.entries(runTables).map(([name, all]) => `${name}: ${all.join(" ")}`);
    assert.deepEqual(columns, [
      "process_runs: run_id user_request status current_phase_id current_stage_id current_task_id",
      "user_instructions: instruction_id run_id instruction_type content status superseded_by_id justification",
      "knowledge_base_catalog: file_path run_id asset_type source_task_id summary",
      "phases: phase_id run_id phase_name phase_purpose status",
      "major_stages: stage_id run_id phase_id stage_name stage_goal execution_order status",
      "tasks: task_id run_id stage_id task_name task_purpose related_references output_path pre_tool_purpose post_tool_purpose execution_order status",
      "tool_tasks: tool_task_id run_id parent_task_id timing tool_type tool_task_name tool_task_purpose execution_order status",
      "left_out: part_id run_id part_name reason",
    ]);
    for (const name of Object.keys(runTables) as TableName[]) {
      assert.deepEqual(told(name, table(name)), []);
      assert.deepEqual(told(name, ""), []);
      assert.deepEqual(told(name, "# Nothing\n"), [
        `1 R-MV-29 There is no table with a column ${runTables[name][0]}.`,
      ]);
    }
    const asset = `a.md | ${run} | MINE | T | s`;
    assert.deepEqual(
      told("knowledge_base_catalog", table("knowledge_base_catalog", asset, asset, `${asset} | x`)),
      [
        "4 R-MV-29 Line 3 is called a.md, too.",
        "5 R-MV-29 This row has 6 cells, the table 5 columns. Write a pipe within a cell as \\|.",
      ],
    );
    const reordered = "| status (ACTIVE, SUPERSEDED) | instruction_id |\n|-|-|\n| ACTIVE | I1 |\n";
    assert.deepEqual(
      told("user_instructions", reordered).map((one) => one.slice(10)),
      [
        ...["run_id", "instruction_type", "content", "superseded_by_id", "justification"].map(
          (column) => `There is no column ${column}.`,
        ),
      ],
    );
  });

  it("[R-MV-30] knows each table's statuses, and no others", () => {
    const status = (name: TableName, of: string) => {
      const rows: Readonly<Record<string, string>> = {
        process_runs: `${run} | Go | ${of} | | | `,
        phases: `1 | ${run} | ANALYZING | Why | ${of}`,
        major_stages: `S | ${run} | 1 | Name | Goal | 1 | ${of}`,
        tasks: `T | ${run} | 0 | Name | Do | | | | | 1 | ${of}`,
        tool_tasks: `X | ${run} | T | PRE | Web Search | Name | Find | 1 | ${of}`,
      };
      return told(name, table(name, rows[name] ?? ""));
    };
    for (const name of ["process_runs", "phases", "major_stages", "tasks", "tool_tasks"] as const) {
      for (const one of ["PENDING", "COMPLETED", "FAILED"]) assert.deepEqual(status(name, one), []);
      const waits = status(name, "AWAITING_CONFIRMATION");
      if (name === "process_runs") assert.deepEqual(waits, []);
      else {
        const message = "It must be one of PENDING, COMPLETED, FAILED.";
        assert.deepEqual(waits, [`3 R-MV-30 status says "AWAITING_CONFIRMATION". ${message}`]);
      }
      assert.equal(status(name, "RUNNING").length, 1);
    }
  });

  it("[R-MV-5] [R-MV-27] [R-MV-13] [R-MV-12] [R-MV-31] [R-MV-35] says which value breaks which rule", () => {
    assert.deepEqual(
      told("process_runs", table("process_runs", `${run} | Go | COMPLETED | 1 | | `)),
      [
        '3 R-MV-27 status says "COMPLETED". It says that the run is over: nothing may be current any more.',
      ],
    );
    for (const current of ["| S1 |", "| | T1"]) {
      const over = table("process_runs", `${run} | Go | COMPLETED | ${current}`);
      assert.equal(told("process_runs", over).length, 1, current);
    }
    assert.deepEqual(told("process_runs", table("process_runs", "../x | Go | PENDING | | | ")), [
      '3 R-MV-5 run_id says "../x". It must have letters, digits, dots, - and _ only, 100 at most.',
    ]);
    assert.deepEqual(told("phases", table("phases", `1 | ${run} | DREAMING | Why | PENDING`)), [
      '3 R-MV-13 phase_name says "DREAMING". It must be one of ANALYZING, STRATEGIZING, REFINING_CONTENT, GENERATING_OUTPUT.',
    ]);
    const other = `2 | run-2 | STRATEGIZING | How | PENDING`;
    assert.deepEqual(
      told("phases", table("phases", `1 | ${run} | ANALYZING | Why | PENDING`, other)),
      ["4 R-MV-35 run_id is not the one of the first row. The table belongs to one run."],
    );
    const rules = (...rows: string[]) =>
      told("user_instructions", table("user_instructions", ...rows)).map((one) =>
        one.slice(0, one.indexOf(".")),
      );
    assert.deepEqual(rules(`I1 | ${run} | tone | Be kind | ACTIVE | | `), []);
    assert.deepEqual(
      rules(`I1 | ${run} | tone | Be kind | SUPERSEDED | | `, `I2 | ${run} | | | ACTIVE | I3 | `),
      [
        "3 R-MV-12 superseded_by_id is empty",
        "4 R-MV-12 content is empty",
        '4 R-MV-12 superseded_by_id says "I3"',
      ],
    );
    assert.deepEqual(
      told(
        "knowledge_base_catalog",
        table("knowledge_base_catalog", `../x.md | ${run} | | | `, `a.md | ${run} | MINE | T | s`),
      ).map((one) => one.slice(0, 34)),
      ['3 R-MV-35 file_path says "../x.md"', "3 R-MV-31 asset_type is empty. It "],
    );
  });

  it("[R-MV-17] wants of a task what it begins from, and where its output goes", () => {
    const task = (references: string, output: string, stage = "S1") =>
      told(
        "tasks",
        table(
          "tasks",
          `T | ${run} | ${stage} | N | Do | ${references} | ${output} | | | 1 | PENDING`,
        ),
      ).map((one) => one.split(" ").slice(1, 3).join(" "));
    const workspace = `runs/${run}/workspace`;
    assert.deepEqual(task("assets/a.md", `${workspace}/ANALYZING/a.md`), []);
    assert.deepEqual(task("assets/a.md", `multiverse/outputs/${run}/a.md`), []);
    assert.deepEqual(task("", "", "0"), []);
    assert.deepEqual(task("", `${workspace}/ANALYZING/a.md`), ["R-MV-17 related_references"]);
    for (const path of [
      "",
      "a.md",
      `${workspace}/a.md`,
      `${workspace}/DREAMING/a.md`,
      "runs/other/workspace/ANALYZING/a",
      `outputs/${run}`,
      `/${workspace}/ANALYZING/a.md`,
      `${workspace}/ANALYZING/../../db/tasks.md`,
    ]) {
      assert.deepEqual(task("assets/a.md", path), ["R-MV-17 output_path"], path);
    }
  });

  it("[R-MV-24] wants of a part that was left out an id as parts have it", () => {
    const part = (id: string) => told("left_out", table("left_out", `${id} | ${run} | Count | No`));
    assert.deepEqual(part("P1-S1-T1-POST1"), []);
    assert.match(part("../x").join(), /^3 R-MV-24 part_id says/);
  });

  it("[R-MV-19] wants of a tool task when and in which order it comes", () => {
    const text = table(
      "tool_tasks",
      `X | ${run} | | SOON | Web Search | N | Find | first | PENDING`,
    );
    assert.deepEqual(
      told("tool_tasks", text).map((one) => one.slice(2, one.indexOf("."))),
      [
        "R-MV-19 parent_task_id is empty",
        'R-MV-19 timing says "SOON"',
        'R-MV-19 execution_order says "first"',
      ],
    );
  });
});
