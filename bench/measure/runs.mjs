import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

/** Rows of a run's tasks, and the most milliseconds that one step of the orchestrator may take. */
const sizes = new Map([
  [10, 50],
  [1_000, 100],
  [10_000, 1_000],
]);
const run = "run-20260101-000000-001";

/**
 * Measures what the orchestrator of a run costs: its tables read, what comes next told from them, one status
 * written and read back. Then, what is chosen for a planner from a catalog of many files and from many
 * earlier requests.
 *
 * @param {{ quick: boolean }} options
 */
export async function runs({ quick }) {
  const assets = quick ? 500 : 10_000;
  const [{ nextStep }, { RunContext }] = await Promise.all(
    ["core/runs/work/nextStep", "core/runs/work/runContext"].map(compiled),
  );
  const rows = [];
  for (const [size, goal] of [...sizes].slice(0, quick ? 2 : undefined)) {
    const store = await storeOf(tablesOf(size));
    const times = [];
    for (let turn = 0; turn < (quick ? 2 : 10); turn++) {
      const step = async () => {
        const { state, problem } = await store.read(run);
        if (problem !== undefined) throw new Error(problem);
        const { step } = nextStep(state);
        if (step.type !== "execute") throw new Error(`the next step is ${JSON.stringify(step)}`);
        const { task_id: id } = step.work.task;
        const values = { task_name: `Seen ${turn}` };
        await store.write(run, [{ table: "tasks", edit: { type: "set", id, values } }]);
      };
      times.push(await timed(step));
    }
    rows.push(row(`a run's step, ${size.toLocaleString("en")} tasks`, median(times), "ms", goal));
  }
  const store = await storeOf(tablesOf(10, assets));
  const { state } = await store.read(run);
  const chosen = [];
  for (let turn = 0; turn < (quick ? 2 : 10); turn++) {
    const target = { type: "stage", id: "P1-S1" };
    chosen.push(await timed(() => new RunContext(store, state, true).forPlanner(target)));
  }
  const name = `a planner's context, from ${assets.toLocaleString("en")} files and 1,000 requests`;
  rows.push(row(name, median(chosen), "ms", 1_500));
  return rows;
}

/** @param {Record<string, string>} tables by path */
async function storeOf(tables) {
  const root = await scratch();
  for (const [path, text] of Object.entries(tables)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const [{ RunStore }, { RunLayout }, { DiskFileSystem }, { FileLock }] = await Promise.all(
    [
      "core/runs/documents/runStore",
      "core/runs/documents/runLayout",
      "node/files/diskFileSystem",
      "node/locks/fileLock",
    ].map(compiled),
  );
  return new RunStore(new DiskFileSystem(root), new FileLock(root, "bench"), new RunLayout(""));
}

/**
 * A run in the midst of its first stage, half of whose tasks are done.
 *
 * @param {number} size
 * @param {number} [files] in the catalog
 */
function tablesOf(size, files = 20) {
  const own = (/** @type {string} */ name) => `runs/${run}/db/${name}.md`;
  const numbers = Array.from({ length: size }, (_, index) => index + 1);
  const done = size / 2;
  const folder = `runs/${run}/workspace/ANALYZING`;
  const tasks = numbers.map((number) => [
    `P1-S1-T${number}`,
    run,
    "P1-S1",
    `Task ${number}`,
    `Say what file ${number} has`,
    `assets/file${number}.md`,
    `${folder}/t${number}.md`,
    "",
    "",
    String(number),
    number <= done ? "COMPLETED" : "PENDING",
  ]);
  const prepared = ["T00", "T02", "T03", "T04"].map((id, index) => [
    id,
    run,
    "0",
    id,
    `Prepare ${id}`,
    "",
    `${folder}/${id}.md`,
    "",
    "",
    String(index),
    "COMPLETED",
  ]);
  const made = numbers
    .slice(0, done)
    .map((number) => [
      `${folder}/t${number}.md`,
      run,
      "ANALYSIS_REPORT",
      `P1-S1-T${number}`,
      "Bees",
    ]);
  const given = Array.from({ length: files }, (_, index) => [
    `assets/file${index}.md`,
    run,
    "ORIGINAL_INPUT",
    "",
    `What file ${index} has of bees`,
  ]);
  const earlier = Array.from({ length: 1_000 }, (_, index) => [
    `run-20250101-000000-${String(index + 1).padStart(4, "0")}`,
    `Write report ${index} about flower ${index % 97}`,
    "COMPLETED",
    "",
    "",
    "",
  ]);
  return {
    "db/process_runs.md": table(
      "run_id user_request status current_phase_id current_stage_id current_task_id",
      [...earlier, [run, "Write a report about bees", "PENDING", "P1", "P1-S1", ""]],
    ),
    "db/knowledge_base_catalog.md": table("file_path run_id asset_type source_task_id summary", [
      ...given,
      ...made,
    ]),
    "db/user_instructions.md": table(
      "instruction_id run_id instruction_type content status superseded_by_id justification",
      [["I1", run, "scope", "Two pages at most", "ACTIVE", "", "You said so."]],
    ),
    [own("phases")]: table("phase_id run_id phase_name phase_purpose status", [
      ["P1", run, "ANALYZING", "Find out", "PENDING"],
    ]),
    [own("major_stages")]: table(
      "stage_id run_id phase_id stage_name stage_goal execution_order status",
      [["P1-S1", run, "P1", "Facts", "Know all", "1", "PENDING"]],
    ),
    [own("tasks")]: table(
      "task_id run_id stage_id task_name task_purpose related_references output_path pre_tool_purpose post_tool_purpose execution_order status",
      [...prepared, ...tasks],
    ),
    [`runs/${run}/feedback_for_user.md`]: "# What this run holds to\n",
  };
}

/** @param {string} columns @param {readonly (readonly string[])[]} rows */
function table(columns, rows) {
  const names = columns.split(" ");
  const line = (/** @type {readonly string[]} */ cells) => `| ${cells.join(" | ")} |\n`;
  return [line(names), line(names.map(() => "---")), ...rows.map((cells) => line(cells))].join("");
}
