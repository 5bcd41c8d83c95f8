import { spawn } from "node:child_process";
import { root } from "../root.mjs";

/**
 * Runs a script that is itself a test, or that ends with `NAME: N passed, N failed`.
 *
 * @param {readonly string[]} args For Node.
 * @returns {Promise<import("./runCounted.mjs").Counts>}
 */
export function runScript(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let tail = "";
    child.stdout.on("data", (chunk) => {
      process.stdout.write(chunk);
      tail = (tail + chunk).slice(-2000);
    });
    child.on("close", (code) => {
      const [, passed, failed] = /: (\d+) passed, (\d+) failed\s*$/.exec(tail) ?? [];
      const counts =
        passed === undefined
          ? { passed: code === 0 ? 1 : 0, failed: 0 }
          : { passed: Number(passed), failed: Number(failed) };
      if (code !== 0 && counts.failed === 0) counts.failed = 1;
      resolve(counts);
    });
  });
}
