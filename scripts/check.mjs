// Types, lint, layers, dead code and format: `npm run check`. Each step counts as one test.
import { spawnSync } from "node:child_process";

const steps = [
  ["types", "npx", ["--no-install", "tsc", "-b"]],
  ["lint", "npx", ["--no-install", "eslint", ".", "--max-warnings=0"]],
  ["layers", "npx", ["--no-install", "depcruise", "src", "--config", ".dependency-cruiser.cjs"]],
  ["dead code", "npx", ["--no-install", "knip"]],
  ["requirements", process.execPath, ["scripts/trace.mjs", "--brief"]],
  ["format", "npx", ["--no-install", "prettier", "--check", ".", "--log-level", "warn"]],
];
let failed = 0;
for (const [name, command, args] of steps) {
  const { status } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) failed++;
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
}
console.log(`check: ${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
