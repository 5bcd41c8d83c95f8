// Types, lint, layers, dead code and format: `npm run check`. Each step counts as one test.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";

const tool = (/** @type {string[]} */ ...args) => ["npx", "--no-install", ...args];

// By its path: the package `typescript` of our scripts has a `tsc`, too.
const types = ["types", [process.execPath, "node_modules/@typescript/native/bin/tsc", "-b"]];
const lint = ["lint", tool("eslint", ".", "--max-warnings=0")];
const others = [
  ["layers", tool("depcruise", "src", "--config", ".dependency-cruiser.cjs")],
  ["dead code", tool("knip")],
  ["requirements", [process.execPath, "scripts/trace.mjs", "--brief"]],
  ["generated pages", [process.execPath, "scripts/docs.mjs", "--check"]],
  ["format", tool("oxfmt", "--check")],
];
let passed = 0;
let failed = 0;

await run([types]);
// Lint takes as long as all the others.
await Promise.all([run([lint]), run(others)]);
console.log(`check: ${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** One step after the other; what one prints is shown when it has ended. @param {any[]} steps */
async function run(steps) {
  for (const [name, [command, ...args]] of steps) {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    const ended = new Promise((resolve) => child.once("close", resolve).once("error", resolve));
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (code === 0) passed++;
    else failed++;
    process.stdout.write(out);
    process.stderr.write(err);
    console.log(`${code === 0 ? "ok  " : "FAIL"} ${name}`);
  }
}
