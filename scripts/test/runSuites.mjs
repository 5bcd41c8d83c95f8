import { killTable } from "./killTable.mjs";
import { prepare } from "./prepare.mjs";
import { hostsReady, suites, suitesWithWindows } from "./suites.mjs";

/** @typedef {import("./runCounted.mjs").Counts} Counts */

/**
 * Runs suites, whatever becomes of each.
 *
 * @param {readonly string[]} [names] Default: all of them.
 * @returns {Promise<{ passed: number, failed: number, notRun: number }>}
 */
export async function runSuites(names = [...suites.keys()]) {
  const unknown = names.filter((name) => !suites.has(name));
  if (unknown.length > 0) {
    throw new RangeError(
      `No suite ${unknown.join(", ")}. There are: ${[...suites.keys()].join(", ")}.`,
    );
  }
  const { ROOROO_TEST_ONLY: only } = process.env;
  // The check has no tests with titles.
  const chosen = names.filter((name) => only === undefined || name !== "check");
  const total = { passed: 0, failed: 0, notRun: 0 };
  let tests = 0;
  /** @type {import("./readResult.mjs").Kills[]} */
  const kills = [];
  /** @param {string} name @param {() => Promise<Counts | undefined>} run */
  const count = async (name, run) => {
    const startedAt = performance.now();
    const counts = await run().catch(crashed);
    if (counts === undefined) {
      console.log(`${name}: there are no such tests yet`);
      return;
    }
    const { passed, failed, notRun = 0 } = counts;
    total.passed += passed;
    total.failed += failed;
    total.notRun += notRun;
    kills.push(...(counts.kills ?? []));
    if (name !== "build") tests += passed + failed;
    const flaky = counts.flaky ? ` (${counts.flaky} of them flaky)` : "";
    const left = notRun > 0 ? `, ${notRun} not run` : "";
    const slowest = counts.slowest ? `; ${counts.slowest.join(", ")}` : "";
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${name}: ${passed} passed, ${failed} failed${flaky}${left} (${seconds} s${slowest})`,
    );
  };
  // The suites with windows take the longest: what they need is fetched while the tests are built.
  if (suitesWithWindows.some((name) => chosen.includes(name))) void hostsReady();
  const building = count("build", () => prepare(chosen));
  await Promise.all(
    [...suites].map(async ([name, run]) => {
      if (!chosen.includes(name)) return;
      // The check reads sources only.
      if (name !== "check") await building;
      await count(name, run);
    }),
  );
  await building;
  if (kills.length > 0) console.log(`\n${killTable(kills)}`);
  if (tests === 0) {
    console.log(only === undefined ? "\nThere was no test." : `\nNo test's title has: ${only}`);
    total.failed++;
  }
  return total;
}

/** @param {unknown} error */
function crashed(error) {
  console.log(error);
  return { passed: 0, failed: 1 };
}
