import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureChromium } from "../host/ensureChromium.mjs";
import { ensureVSCodeServer } from "../host/ensureVSCodeServer.mjs";
import { root } from "../root.mjs";
import { runCounted } from "./runCounted.mjs";
import { runScript } from "./runScript.mjs";

/** @typedef {import("./runCounted.mjs").Counts} Counts */

/**
 * All suites, in order. One whose folder does not exist (yet) is left out.
 *
 * @type {ReadonlyMap<string, () => Promise<Counts | undefined>>}
 */
export const suites = new Map([
  ["check", () => runScript(["scripts/check.mjs"])],
  ["build", () => runScript(["scripts/build.mjs", "--tests"])],
  ["unit", () => mocha("unit", 10_000, 2)],
  ["contract", () => mocha("contract", 20_000, 2)],
  ["cli", () => mocha("cli", 60_000, 2)],
  ["durability", () => mocha("durability", 60_000)],
  ["editor", editor],
  ["ui", ui],
]);

const here = dirname(fileURLToPath(import.meta.url));

/**
 * @param {string} suite
 * @param {number} timeoutMs For one test.
 * @param {number} [processes] That share its files, side by side.
 */
async function mocha(suite, timeoutMs, processes = 1) {
  const source = join(root, "test", suite);
  if (!existsSync(source)) return undefined;
  const names = await readdir(source, { recursive: true });
  const tests = names.filter((name) => name.endsWith(".test.ts")).sort();
  const compiled = tests.map((name) => join(root, "out", "test", suite, name.replace(/ts$/, "js")));
  const shares = Array.from({ length: Math.min(processes, tests.length) }, (_, share) =>
    compiled.filter((_file, index) => index % processes === share),
  );
  const counts = await Promise.all(
    shares.map((files) => runCounted([join(here, "mochaChild.mjs"), String(timeoutMs), ...files])),
  );
  /** @param {(one: Counts) => number} of */
  const sum = (of) => counts.reduce((total, one) => total + of(one), 0);
  const skipped = sum((one) => one.skipped ?? 0);
  return { passed: sum((one) => one.passed), failed: sum((one) => one.failed), skipped };
}

async function editor() {
  if (!existsSync(join(root, "test", "editor"))) return undefined;
  return runCounted([join(here, "editorChild.mjs")]);
}

async function ui() {
  await ensureVSCodeServer();
  await ensureChromium();
  return mocha("ui", 120_000);
}
