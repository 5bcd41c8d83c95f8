// npm test: installs what is missing, then checks, builds and runs every suite.
//   --only NAME[,NAME]   only these: check, unit, contract, cli, durability, editor, panel, ui,
//                        smoke
import { parseArgs } from "node:util";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { cleanUp, cleanUpOnSignals } from "./process/cleanup.mjs";

cleanUpOnSignals();
let total = { passed: 0, failed: 1 };
try {
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  await ensureDependencies();
  const { runSuites } = await import("./test/runSuites.mjs");
  total = await runSuites(values.only?.split(","));
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
}
await cleanUp();
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed`);
