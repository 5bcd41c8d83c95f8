import { join } from "node:path";
import { root } from "../root.mjs";
import { runScript } from "./runScript.mjs";

/**
 * Makes what suites run on: compiles the tests, bundles the extension. `check` proves the types.
 *
 * @param {readonly string[]} suites
 * @returns {Promise<import("./runCounted.mjs").Counts>} Each step counts as one test. Where one
 *   fails, what there is can still be tested.
 */
export async function prepare(suites) {
  const needs = (/** @type {string[]} */ ...names) => names.some((name) => suites.includes(name));
  const steps = [];
  if (needs("unit", "contract", "cli", "durability", "panel", "ui", "smoke")) {
    steps.push([join(root, "scripts", "build", "tests.mjs")]);
  }
  if (needs("cli", "durability", "editor", "panel", "ui", "smoke")) {
    steps.push([join(root, "scripts", "build.mjs"), "--tests"]);
  }
  const counts = { passed: 0, failed: 0 };
  for (const step of steps) {
    const { passed, failed } = await runScript(step);
    counts.passed += passed;
    counts.failed += failed;
  }
  return counts;
}
