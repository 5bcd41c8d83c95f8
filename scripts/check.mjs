// Types, lint, layers, dead code and format: `npm run check`. Each step counts as one test.
import { spawnSync } from "node:child_process";

const steps = [
  ["types", "tsc", ["-b"]],
  ["lint", "eslint", [".", "--max-warnings=0"]],
  ["layers", "depcruise", ["src", "--config", ".dependency-cruiser.cjs"]],
  ["dead code", "knip", []],
  ["format", "prettier", ["--check", ".", "--log-level", "warn"]],
];
let failed = 0;
for (const [name, command, args] of steps) {
  const { status } = spawnSync("npx", ["--no-install", command, ...args], { stdio: "inherit" });
  if (status !== 0) failed++;
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${name}`);
}
console.log(`check: ${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
