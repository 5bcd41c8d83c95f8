// npm test: installs what is missing, then checks, builds and runs every suite.
//   --only NAME[,NAME]   only these: check, unit, contract, cli, durability, editor, panel, ui,
//                        smoke
// In the environment:
//   ROOROO_TEST_ONLY=TEXT   only tests whose full title contains TEXT
//   FUZZ_SEED=N, or random  the seed of the property tests
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { cleanUp, cleanUpOnSignals } from "./process/cleanup.mjs";

cleanUpOnSignals();
let total = { passed: 0, failed: 1, notRun: 0 };
try {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  await ensureDependencies();
  if (process.env.FUZZ_SEED === "random") {
    // One for all processes, so that what fails is run again with the same inputs.
    process.env.FUZZ_SEED = String(randomInt(2 ** 31));
    console.log(`FUZZ_SEED=${process.env.FUZZ_SEED}`);
  }
  const { runSuites } = await import("./test/runSuites.mjs");
  total = await runSuites(values.only?.split(","));
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
await cleanUp();
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
const notRun = total.notRun > 0 ? `, ${total.notRun} not run` : "";
console.log(`\n${total.passed} passed, ${total.failed} failed${notRun}`);
