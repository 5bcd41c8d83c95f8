import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { atEnd } from "../process/cleanup.mjs";
import { startProcess } from "../process/startProcess.mjs";
import { root } from "../root.mjs";
import { readResult } from "./readResult.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} [notRun] Tests that others kept from running.
 * @property {number} [flaky] How many of those that failed passed when they were run alone.
 * @property {import("./readResult.mjs").Kills[]} [kills] What was killed, if anything was.
 * @property {string[]} [slowest] The files that took longest, each with its seconds.
 *
 * @typedef {object} TestProcess
 * @property {string} suite
 * @property {readonly string[]} files What it runs; none: it knows by itself.
 * @property {(files: readonly string[]) => string[]} args For Node, to run these of its files.
 * @property {number} [silentMs] How long it may give no sign of itself: longer than any test may take. It is then
 *   taken for one that will not end by itself.
 */

const SILENT_MS = 30 * 60_000;
/** With more groups that fail, the cause is no chance, and to run each again would take long. */
const MOST_AGAIN = 10;

/**
 * Runs a test process to its end. It counts by itself (see `runMocha`), but is not believed blindly: one that dies
 * before its tests have ended, ends with a code that its counts do not explain, or has run no test at all has failed.
 *
 * Each group in which a test has failed is then run alone. A test that passes there is named as flaky, and has failed
 * all the same.
 *
 * @param {TestProcess} tests
 * @returns {Promise<Counts>}
 */
export async function runCounted(tests) {
  const { failures, passed, notRun, kills, faults } = await runOnce(tests);
  let flaky = 0;
  const groups = new Map(failures.map(({ file, group }) => [`${file}\n${group}`, { file, group }]));
  for (const { file, group } of [...groups.values()].slice(0, MOST_AGAIN)) {
    const of = failures.filter((one) => one.file === file && one.group === group);
    const what = `${group || "all tests"} (${file ?? tests.suite})`;
    console.log(`\n  SECOND RUN of what has failed, alone: ${what}`);
    const files = tests.files.filter((path) => file !== undefined && path === resolve(root, file));
    const again = await runOnce({ ...tests, files }, group ?? "");
    for (const failure of of) {
      if (!isFlaky(failure, again)) continue;
      flaky++;
      console.log(`\n  FLAKY ${failure.title}: it passes alone`);
    }
    console.log(`\n  END OF THE SECOND RUN of ${what}\n`);
  }
  if (groups.size > MOST_AGAIN) {
    console.log(`\n  ${groups.size - MOST_AGAIN} more groups failed and were not run again.\n`);
  }
  const killed = kills.length === 0 ? {} : { kills };
  return { passed, failed: failures.length + faults, notRun, flaky, ...killed };
}

/** @param {import("./readResult.mjs").Failure} failure @param {Awaited<ReturnType<typeof runOnce>>} again */
function isFlaky({ title, isTest }, again) {
  if (again.failures.some((one) => one.title === title)) return false;
  return isTest ? again.passedTitles.has(title) : again.passed > 0 && again.failures.length === 0;
}

/**
 * @param {TestProcess} tests
 * @param {string} [alone] The group that is to run; see `runMocha`.
 * @returns {Promise<import("./readResult.mjs").Result & { faults: number }>} `faults`: those of the process itself.
 */
async function runOnce({ suite, files, args, silentMs = SILENT_MS }, alone) {
  const folder = await mkdtemp(join(tmpdir(), "rooroo-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  atEnd(remove);
  const file = join(folder, "result.jsonl");
  try {
    const env = testEnvironment(folder, file, alone);
    const running = startProcess(process.execPath, args(files), {
      cwd: root,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    atEnd(running.stop);
    const watch = watchForSigns(file, silentMs, running.kill);
    const code = await running.stopped;
    const isSilent = watch.end();
    await running.stop(); // what it started goes with it
    const result = await readResult(file);
    const ran = result.passed + result.failures.length > 0;
    const at = result.last === undefined ? "" : `; the last that began: ${result.last}`;
    /** @type {string | undefined} */
    let fault;
    if (isSilent) fault = `it gave no sign for ${silentMs / 60_000} minutes, and was ended${at}`;
    else if (!result.ended) {
      fault = `it ended (${running.child.signalCode ?? `code ${code}`}) before its tests did${at}`;
    } else if (!ran && alone === undefined && env.ROOROO_TEST_ONLY === undefined) {
      fault = "it ran no test";
    } else if (code !== 0 && result.failures.length === 0)
      fault = `it ended with code ${code}${at}`;
    if (fault !== undefined)
      console.log(`\n  FAIL the process of ${named(suite, files)}: ${fault}\n`);
    return { ...result, faults: fault === undefined ? 0 : 1 };
  } finally {
    await remove();
  }
}

/**
 * Ends a process that adds nothing to its result file: mocha ends a test that waits for ever, but not one whose loop
 * does not end.
 *
 * @param {string} file
 * @param {number} silentMs
 * @param {() => Promise<void>} kill
 */
function watchForSigns(file, silentMs, kill) {
  let [size, since, isSilent] = [0, performance.now(), false];
  const look = async () => {
    const now = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (now !== size) [size, since] = [now, performance.now()];
    // A test that asks for more time has it.
    const most = Math.max(silentMs, 2 * (await readResult(file)).timeout);
    if (performance.now() - since < most) return;
    isSilent = true;
    await kill();
  };
  const timer = setInterval(() => void look(), silentMs / 10);
  return {
    end: () => {
      clearInterval(timer);
      return isSilent;
    },
  };
}

/** @param {string} suite @param {readonly string[]} files */
function named(suite, files) {
  const names = files.slice(0, 5).map((file) => basename(file));
  const more = files.length > names.length ? [`${files.length - names.length} more`] : [];
  return names.length === 0 ? suite : `${suite} (${[...names, ...more].join(", ")})`;
}

/**
 * The person's own model and key are not for tests. What tests leave in the temporary folder goes
 * with it.
 *
 * @param {string} temporary
 * @param {string} result
 * @param {string} [alone]
 */
function testEnvironment(temporary, result, alone) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ROOROO_MODEL", "ROOROO_TEST_ALONE"]) {
    delete env[name];
  }
  if (alone !== undefined) env.ROOROO_TEST_ALONE = alone;
  // Their own key, so that nothing of the person's is signed or read.
  return { ...env, ROOROO_HOME: join(temporary, "rooroo-home"), ROOROO_TEST_RESULT: result };
}
