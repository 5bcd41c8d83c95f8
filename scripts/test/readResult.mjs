import { readFile } from "node:fs/promises";

/**
 * @typedef {object} Failure
 * @property {string} title
 * @property {string} [file]
 * @property {string} [group] The title of the outermost group that it is in.
 * @property {boolean} [isTest] Rather than a hook, or a file that cannot be loaded.
 * @property {boolean} hadPassed It failed after its end.
 *
 * @typedef {{ of: string, kills: number, lost: number, twice: number, locked: number }} Kills
 *   The kinds of work that tests killed: how often each was killed, and how often work was lost, done twice or left locked.
 *
 * @typedef {{ planned: number } | { begun: string, timeout: number } | { passed: string } | { failed: Failure } | { killed: Kills } | { ended: true }} Step
 *   What a test process tells of itself; see `runMocha`.
 *
 * @typedef {object} Result
 * @property {number} passed
 * @property {number} notRun Tests that others kept from running, as a hook that failed.
 * @property {Failure[]} failures
 * @property {Kills[]} kills
 * @property {Set<string>} passedTitles
 * @property {string} [last] The test or hook that began last.
 * @property {number} timeout Its time limit.
 * @property {boolean} ended Whether the run came to its end.
 */

/** Reads what a test process has told so far. @param {string} file @returns {Promise<Result>} */
export async function readResult(file) {
  /** @type {Result & { planned: number }} */
  const result = {
    planned: 0,
    passed: 0,
    notRun: 0,
    failures: [],
    kills: [],
    passedTitles: new Set(),
    timeout: 0,
    ended: false,
  };
  const text = await readFile(file, "utf8").catch(() => "");
  // A process that dies may leave a piece of a line.
  for (const line of text.slice(0, text.lastIndexOf("\n") + 1).split("\n")) {
    if (line === "") continue;
    /** @type {Step} */
    const step = JSON.parse(line);
    if ("planned" in step) result.planned = step.planned;
    else if ("begun" in step) [result.last, result.timeout] = [step.begun, step.timeout];
    else if ("passed" in step) {
      result.passed++;
      result.passedTitles.add(step.passed);
    } else if ("failed" in step) {
      if (step.failed.hadPassed) result.passed--;
      result.failures.push(step.failed);
    } else if ("killed" in step) result.kills.push(step.killed);
    else result.ended = true;
  }
  const failedTests = result.failures.filter(({ isTest }) => isTest).length;
  result.notRun = Math.max(0, result.planned - result.passed - failedTests);
  return result;
}
