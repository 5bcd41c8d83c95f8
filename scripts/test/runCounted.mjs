import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd } from "../process/cleanup.mjs";
import { startProcess } from "../process/startProcess.mjs";
import { root } from "../root.mjs";

/**
 * @typedef {object} Counts
 * @property {number} passed
 * @property {number} failed
 * @property {number} [skipped]
 * @property {string[]} [slowest] The files that took longest, each with its seconds.
 */

/**
 * Runs a test process to its end. It counts by itself (see `runMocha`), but is not believed blindly:
 * one that dies before it has counted, ends with a code that its counts do not explain, or has run
 * no test at all has failed.
 *
 * @param {readonly string[]} args For Node.
 * @returns {Promise<Counts>}
 */
export async function runCounted(args) {
  const folder = await mkdtemp(join(tmpdir(), "rooroo-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  atEnd(remove);
  const file = join(folder, "counts.json");
  try {
    const env = testEnvironment(folder, file);
    const stdio = /** @type {const} */ (["ignore", "inherit", "inherit"]);
    const child = startProcess(process.execPath, args, { cwd: root, env, stdio: [...stdio] });
    atEnd(child.stop);
    const code = await child.stopped;
    await child.stop(); // what it started goes with it
    const counts = await readCounts(file);
    if (counts === undefined) return blame(`it ended (code ${code}) before its tests did`);
    if (counts.passed + counts.failed === 0) return blame("it ran no test", counts);
    if (code !== 0 && counts.failed === 0) return blame(`it ended with code ${code}`, counts);
    return counts;
  } finally {
    await remove();
  }
}

/**
 * The person's own model and key are not for tests. What tests leave in the temporary folder goes
 * with it.
 *
 * @param {string} temporary
 * @param {string} result
 */
function testEnvironment(temporary, result) {
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  for (const name of ["OPENAI_API_KEY", "OPENAI_BASE_URL", "ROOROO_MODEL"]) delete env[name];
  // Their own key, so that nothing of the person's is signed or read.
  return { ...env, ROOROO_HOME: join(temporary, "rooroo-home"), ROOROO_TEST_RESULT: result };
}

/** @param {string} file @returns {Promise<Counts | undefined>} */
async function readCounts(file) {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** @param {string} why @param {Counts} [counts] @returns {Counts} */
function blame(why, counts = { passed: 0, failed: 0 }) {
  console.log(`\n  FAIL the suite: ${why}\n`);
  return { ...counts, failed: counts.failed + 1 };
}
