import { join } from "node:path";
import { run } from "../process/run.mjs";
import { root } from "../root.mjs";

/**
 * Makes what the chosen suites run on, as far as no chosen suite makes it: `check` compiles the
 * tests, `build` bundles the extension.
 *
 * @param {readonly string[]} chosen
 * @returns {Promise<number>} How many of these failed; what there is can still be tested.
 */
export async function prepare(chosen) {
  const needs = (/** @type {string[]} */ ...suites) => suites.some((name) => chosen.includes(name));
  const steps = [];
  if (!needs("check") && needs("unit", "contract", "cli", "durability", "ui")) {
    steps.push([join(root, "node_modules", "typescript", "bin", "tsc"), "-b"]);
  }
  if (!needs("build") && needs("cli", "durability", "editor", "ui")) {
    steps.push([join(root, "scripts", "build.mjs"), "--tests"]);
  }
  let failed = 0;
  for (const args of steps) {
    try {
      await run(process.execPath, args, { cwd: root });
    } catch (error) {
      console.log(`\n  FAIL ${error instanceof Error ? error.message : error}\n`);
      failed++;
    }
  }
  return failed;
}
