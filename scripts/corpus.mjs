// Runs random hostile lines in the sandbox, both presets side by side, and prints what they harmed:
//   npm run corpus -- FROM TO
// It needs what `npm test` has built; all 50,000 take about 20 minutes on two cores.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "./root.mjs";

const [from = 0, to = 50_000] = process.argv.slice(2).map(Number);
/** The number of processes that run each preset: they wait more than they work. */
const processes = 3;
const linesTogether = 100;
const secondsEach = 0.3;
const host = join(root, "out/test/contract/corpusHost.js");

/** @param {string} preset @param {number} part */
async function run(preset, part) {
  const size = Math.ceil((to - from) / processes);
  const [first, end] = [from + part * size, Math.min(to, from + (part + 1) * size)];
  const args = [preset, "mixed", ...[first, end, 1, linesTogether, secondsEach].map(String)];
  // Lines name other machines; in a network of its own none is reached, whatever the sandbox does.
  const inOwnNetwork = [
    "--user",
    "--map-root-user",
    "--net",
    "--",
    "sh",
    "-c",
    'ip link set lo up && exec "$@"',
    "sh",
  ];
  const child = spawn("unshare", [...inOwnNetwork, process.execPath, host, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  createInterface({ input: child.stdout }).on("line", (line) => {
    console.log(`${preset} ${first}-${end}: ${line}`);
  });
  const [code] = await once(child, "close");
  if (code !== 0) process.exitCode = 1;
}

const parts = Array.from({ length: processes }, (_, part) => part);
await Promise.all(["safe", "all"].flatMap((preset) => parts.map((part) => run(preset, part))));
