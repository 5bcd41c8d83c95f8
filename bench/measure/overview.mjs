import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiled } from "../harness/compiled.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { benchHome, signerAt } from "../harness/signerAt.mjs";
import { writeTask } from "../harness/writeTask.mjs";

const script = fileURLToPath(new URL("../overview/readOnce.mjs", import.meta.url));

/**
 * Measures what the list of tasks costs, which `rooroo status` and the Tasks view read: the processor's time and the most
 * memory of a process that reads it once, with a long queue and with many tasks' folders. Each is measured at two sizes
 * that take turns, so that it shows whether it grows faster than what is listed.
 *
 * @param {{ quick: boolean }} options
 */
export async function overview({ quick }) {
  const goal = (/** @type {number} */ most) => (quick ? null : most);
  const rows = [];
  for (const { what, sizes, make, seconds } of kinds) {
    const [few, many] = quick ? sizes.map((size) => size / 100) : sizes;
    const roots = [await make(few), await make(many)];
    /** @type {{ listed: number, seconds: number, megabytes: number }[][]} */
    const runs = [[], []];
    for (let n = 0; n < (quick ? 1 : 5); n++) {
      for (const [at, root] of roots.entries()) runs[at].push(await readOnce(root));
    }
    const [small, large] = runs.map((all) => median(all.map((run) => run.seconds)));
    if (runs[1].some(({ listed }) => listed !== many))
      throw new Error(`not all ${what} are listed`);
    const name = `${many.toLocaleString("en")} ${what}`;
    const times = `time for each, to that with ${few.toLocaleString("en")}`;
    const megabytes = median(runs[1].map((run) => run.megabytes));
    rows.push(
      row(`${name}: processor time`, large, "s", goal(seconds)),
      row(`${name}: most memory`, megabytes, "MiB", goal(300)),
      row(`${name}: ${times}`, large / many / (small / few), "times", goal(1.5)),
    );
  }
  return rows;
}

const kinds = [
  { what: "queued tasks", sizes: [10_000, 100_000], make: withQueue, seconds: 3 },
  { what: "odd lines", sizes: [10_000, 100_000], make: withOddQueue, seconds: 3 },
  { what: "task folders", sizes: [1_000, 10_000], make: withFolders, seconds: 2 },
];

/** @param {number} size */
async function withQueue(size) {
  const { formatQueueEntry } = await compiled("core/documents/queue");
  const root = await scratch();
  const lines = Array.from({ length: size }, (_, n) => {
    const taskId = `ROO#TASK_20260102030405_${n.toString(16).toUpperCase().padStart(6, "0")}`;
    const fixed = { parentTaskId: null, planId: null, autoProceed: true };
    const contextPath = `.rooroo/tasks/${taskId}/context.md`;
    return formatQueueEntry({ taskId, mode: "rooroo-developer", goal, contextPath, ...fixed });
  });
  await mkdir(join(root, ".rooroo"));
  await writeFile(join(root, ".rooroo", "queue.jsonl"), `${lines.join("\n")}\n`);
  return root;
}

/** Lines that are no JSON, lines that are no task, and tasks that no expert does, in turns. @param {number} size */
async function withOddQueue(size) {
  const root = await scratch();
  const lines = Array.from({ length: size }, (_, n) => {
    const taskId = `ROO#TASK_${n}`;
    const task = { taskId, suggested_mode: "nobody", goal_for_expert: goal };
    return [`Do not forget ${n}`, JSON.stringify({ taskId }), JSON.stringify(task)][n % 3];
  });
  await mkdir(join(root, ".rooroo"));
  await writeFile(join(root, ".rooroo", "queue.jsonl"), `${lines.join("\n")}\n`);
  return root;
}

const goal = "Make the export of invoices to CSV quote fields that contain a separator.";

/** @param {number} size */
async function withFolders(size) {
  const root = await scratch();
  const { signJson } = await compiled("core/provenance/signedJson");
  const signing = { signer: await signerAt(root), signJson };
  for (let n = 0; n < size; n++) await writeTask(root, n, signing);
  return root;
}

/** @param {string} root */
async function readOnce(root) {
  const env = { ...process.env, ROOROO_HOME: await benchHome() };
  const child = fork(script, [root], { env });
  const told = once(child, "message");
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`reading the overview ended with ${code}`);
  const [took] = await told;
  return took;
}
