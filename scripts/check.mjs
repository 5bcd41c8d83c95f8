// Types, lint, layers, dead code and format: `npm run check`. Each step counts as one test.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

/** The number of steps that run side by side: as many as the smallest machine has cores. */
const LANES = 2;
const cruiser = "node_modules/dependency-cruiser/bin/dependency-cruise.mjs";

// The longest first. Tools are named by their files: `npx` takes longer than some of them, and the package
// `typescript`, whose API our scripts use, has a `tsc`, too.
const steps = [
  // Each checker works out anew what another has: one takes 12 s of processor time, four take 17.
  ["types", "node_modules/@typescript/native/bin/tsc", "-b", "--checkers", "1"],
  ["lint", "node_modules/oxlint/bin/oxlint"],
  ["dead code", "node_modules/knip/bin/knip.js"],
  ["layers", cruiser, "src", "--config", ".dependency-cruiser.cjs"],
  ["patterns", "scripts/patterns.mjs"],
  ["requirements", "scripts/trace.mjs", "--brief"],
  ["generated files", "scripts/generate.mjs", "--check"],
  ["format", "node_modules/oxfmt/bin/oxfmt", "--check"],
].values();
let passed = 0;
let failed = 0;

// They all take their next step from the same list.
await Promise.all(Array.from({ length: LANES }, () => run(steps)));
console.log(`check: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** One step after the other; what one prints is shown when it has ended. @param {Iterable<string[]>} steps */
async function run(steps) {
  for (const [name, ...args] of steps) {
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) passed++;
    else failed++;
    process.stdout.write(out);
    process.stderr.write(err);
    console.log(`${code === 0 ? "ok  " : "FAIL"} ${name}`);
  }
}
