// Runs test files in a process of their own:  node mochaChild.mjs TIMEOUT_MS FILE…

import { relative } from "node:path";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import "./fakeVscode.mjs";
import { runMocha } from "./runMocha.mjs";

const GRACE_MS = 10_000;
/**
 * The seed of all property tests, so that the same code has the same verdict on every run. With
 * FUZZ_SEED=random in the environment, a run draws a new one, to search for faults.
 */
const SEED = 20_261_122;

fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? SEED) });
const [timeout, ...paths] = process.argv.slice(2);
const files = paths.map((path) => ({
  name: relative(process.cwd(), path),
  load: () => import(pathToFileURL(path).href),
}));
const failed = await runMocha({ files, timeout: Number(timeout) });
// What fails late counts, too.
process.on("exit", () => {
  if (failed.length > 0) process.exitCode = 1;
});
// What still keeps the process alive was not cleaned up by a test.
setTimeout(() => {
  const left = process.getActiveResourcesInfo().filter((name) => name !== "Timeout");
  console.log(`\n  FAIL the tests left something running: ${left.join(", ") || "a timer"}\n`);
  process.exit(1);
}, GRACE_MS).unref();
