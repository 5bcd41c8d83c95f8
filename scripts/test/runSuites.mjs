import { prepare } from "./prepare.mjs";
import { suites } from "./suites.mjs";

/**
 * Runs suites one after the other, whatever becomes of each.
 *
 * @param {readonly string[]} [names] Default: all of them.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runSuites(names = [...suites.keys()]) {
  const unknown = names.filter((name) => !suites.has(name));
  if (unknown.length > 0) {
    throw new RangeError(
      `No suite ${unknown.join(", ")}. There are: ${[...suites.keys()].join(", ")}.`,
    );
  }
  const total = { passed: 0, failed: await prepare(names) };
  for (const [name, run] of suites) {
    if (!names.includes(name)) continue;
    console.log(`\n── ${name}`);
    const startedAt = performance.now();
    const counts = await run().catch(crashed);
    if (counts === undefined) {
      console.log(`${name}: there are no such tests yet`);
      continue;
    }
    total.passed += counts.passed;
    total.failed += counts.failed;
    const skipped = counts.skipped ? `, ${counts.skipped} skipped` : "";
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(
      `${name}: ${counts.passed} passed, ${counts.failed} failed${skipped} (${seconds} s)`,
    );
  }
  return total;
}

/** @param {unknown} error */
function crashed(error) {
  console.log(error);
  return { passed: 0, failed: 1, skipped: 0 };
}
