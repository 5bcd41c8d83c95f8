// Runs random hostile lines in the sandbox, both presets side by side, and prints what they harmed:
//   npm run corpus -- FROM TO
// It needs what `npm test` has built, and takes hours for all 50,000.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./root.mjs";

const [from = "0", to = "50000"] = process.argv.slice(2);
const linesTogether = "25";
const secondsEach = "1";
const host = join(root, "out/test/contract/corpusHost.js");

/** @param {string} preset */
async function run(preset) {
  const args = [preset, "mixed", from, to, "1", linesTogether, secondsEach];
  // Lines name other machines; in a network of its own none is reached, whatever the sandbox does.
  const inOwnNetwork = [
    ...["--user", "--map-root-user", "--net", "--"],
    ...["sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
  ];
  const child = spawn("unshare", [...inOwnNetwork, process.execPath, host, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(`${preset}: ${line}`);
  });
  const [code] = await once(child, "close");
  if (code !== 0) process.exitCode = 1;
}

await Promise.all(["safe", "all"].map(run));
