// Runs test files in a process of their own:  node mochaChild.mjs TIMEOUT_MS FILE…
import fc from "fast-check";
import Mocha from "mocha";
import { runMocha } from "./runMocha.mjs";

const GRACE_MS = 10_000;
/**
 * The seed of all property tests, so that the same code has the same verdict on every run. With
 * FUZZ_SEED=random in the environment, each property takes new inputs, to search for faults.
 */
const SEED = 20_261_122;

const { FUZZ_SEED = String(SEED) } = process.env;
if (FUZZ_SEED !== "random") fc.configureGlobal({ seed: Number(FUZZ_SEED) });
const [timeout, ...files] = process.argv.slice(2);
const mocha = new Mocha({ timeout: Number(timeout), forbidOnly: process.env.CI !== undefined });
for (const file of files) mocha.addFile(file);
await mocha.loadFilesAsync();
process.exitCode = (await runMocha(mocha)).length === 0 ? 0 : 1;
// What still keeps the process alive was not cleaned up by a test.
setTimeout(() => {
  const left = process.getActiveResourcesInfo().filter((name) => name !== "Timeout");
  console.log(`\n  FAIL the tests left something running: ${left.join(", ") || "a timer"}\n`);
  process.exit(1);
}, GRACE_MS).unref();
