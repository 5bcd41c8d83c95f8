import { fork } from "node:child_process";
import { once } from "node:events";
import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compiled } from "../harness/compiled.mjs";
import { jobLogOf } from "../harness/jobLogOf.mjs";
import { jobWorldAt } from "../harness/jobWorldAt.mjs";
import { median } from "../harness/median.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { timed } from "../harness/timed.mjs";

/** Tasks of a log, and the most milliseconds that a lifecycle on it may take of its own; `null`: no goal is set. */
const sizes = new Map([
  [10, 50],
  [1_000, 150],
  [10_000, null],
]);
const quota = 10;
const { signal } = new AbortController();
const stuckRunner = fileURLToPath(new URL("../harness/stuckRunner.mjs", import.meta.url));

/**
 * Measures what a lifecycle of a job costs beside its model, which answers at once: triage, intent lock, the
 * unit's own files, commit. Alone, and where somebody has written the log since the last one; then,
 * how soon the task of a killed process is taken up.
 *
 * @param {{ quick: boolean }} options
 */
export async function jobRuns({ quick }) {
  const rows = [];
  for (const [size, goal] of [...sizes].slice(0, quick ? 2 : undefined)) {
    const runs = quick ? 2 : size === 10_000 ? 5 : 20;
    const { name, next, log } = await jobOf(Math.max(size, 2 * runs + 2));
    await next();
    const own = [];
    const after = [];
    for (let run = 0; run < runs && 2 * run < size - 2; run++) {
      own.push(await timed(next));
      await appendFile(log, `\n<!-- seen ${run} -->\n`);
      after.push(await timed(next));
    }
    rows.push(
      row(`a lifecycle, ${name} tasks`, median(own), "ms", goal),
      row(`the same on a log that others changed`, median(after), "ms"),
    );
  }
  rows.push(row("until a killed runner's task is taken up", await takeover(quick), "ms", 500));
  return rows;
}

/** @param {number} size */
async function jobOf(size) {
  const root = await scratch();
  const log = join(root, ".jixo", "bench.log.md");
  await mkdir(join(root, ".jixo"));
  await writeFile(join(root, ".jixo", "bench.job.md"), "Quote the fields.\n");
  await writeFile(log, jobLogOf(size));
  const [{ lifecycle }, { jobNamed }, { ServerHealth }] = await Promise.all(
    [
      "core/jobs/work/lifecycle",
      "core/jobs/documents/jobFolder",
      "core/jobs/work/outageTolerantModel",
    ].map(compiled),
  );
  const world = await jobWorldAt(root);
  const job = await jobNamed("bench", world.files);
  const health = new ServerHealth(
    world.experts.clock,
    { runners: 1, waits: false, hasAnswered: false },
    () => undefined,
  );
  const next = async () => {
    const end = await lifecycle(job, { quota, runners: 1, budget: {}, health }, world, signal);
    if (end.result !== "Succeeded") throw new Error(`a lifecycle ended: ${JSON.stringify(end)}`);
  };
  return { root, log, next, name: size.toLocaleString("en") };
}

/** @param {boolean} quick */
async function takeover(quick) {
  const took = [];
  for (let run = 0; run < (quick ? 1 : 7); run++) {
    const { root } = await jobOf(10);
    // It is killed, and cannot remove what it has made.
    const env = { ...process.env, TMPDIR: await scratch() };
    const child = fork(stuckRunner, [root], { env });
    await once(child, "message");
    let began = 0;
    const emit = (/** @type {{ type: string, goal: string }} */ { type, goal }) => {
      if (type === "sessionStarted" && goal.startsWith("Task 1.1.")) began ||= performance.now();
    };
    const world = await jobWorldAt(root, { emit });
    const { outerLoop } = await compiled("core/jobs/work/outerLoop");
    const killed = performance.now();
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    await outerLoop(
      { name: "bench", startedBy: "person", runners: 1, quota, most: 1 },
      world,
      signal,
    );
    if (began === 0) throw new Error("another task was taken up");
    took.push(began - killed);
  }
  return median(took);
}
