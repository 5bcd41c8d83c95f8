// Runs the client scenarios of the MCP conformance suite against our client:  node bench/mcpConformance.mjs
//   --only NAME[,NAME]   some of the scenarios, by their names
//
// The suite and the Node that it needs are installed in a folder that is gone at the end. All servers are the suite's
// own, on this machine. docs/mcp.md has the figures.

import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { cleanUp, cleanUpOnSignals } from "../scripts/process/cleanup.mjs";
import { run } from "../scripts/process/run.mjs";
import { root } from "../scripts/root.mjs";
import { compile } from "./harness/compiled.mjs";
import { scratch } from "./harness/scratch.mjs";

const SUITE = "@modelcontextprotocol/conformance@0.1.16";
const NODE = "node@22.23.3";
/** Milliseconds for one scenario. */
const LIMIT_MS = 120_000;

cleanUpOnSignals();
const [flag, names = ""] = process.argv.slice(2);
const only = flag === "--only" ? names.split(",") : undefined;
try {
  await compile();
  const folder = await scratch();
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  await run(npm, ["install", "--no-audit", "--no-fund", "--silent", NODE, SUITE], { cwd: folder });
  const results = join(folder, "results");
  await mkdir(results);

  /** @param {readonly string[]} args */
  const suite = (args) => {
    const own = join(folder, "node_modules");
    const path = `${join(own, ".bin")}${delimiter}${process.env.PATH ?? ""}`;
    const entry = join(own, "@modelcontextprotocol", "conformance", "dist", "index.js");
    return spawnSync(join(own, ".bin", "node"), [entry, ...args], {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: path, ROOROO_BENCH_COMPILED: "yes" },
      timeout: LIMIT_MS,
    });
  };
  const listed = suite(["list", "--client"]).stdout;
  const client = listed.slice(listed.indexOf("Client scenarios"));
  const scenarios = [...client.matchAll(/^\s+- (\S+)/gm)].map(([, name = ""]) => name);
  const command = `${process.execPath} ${join(root, "bench", "mcp", "conformanceClient.mjs")}`;
  let passed = 0;
  const chosen = scenarios.filter((name) => only === undefined || only.includes(name));
  for (const scenario of chosen) {
    const what = ["--command", command, "--scenario", scenario];
    const { status, stdout, stderr } = suite(["client", ...what, "-o", results]);
    if (status === 0) passed++;
    console.log(`${status === 0 ? "passed" : "failed"}  ${scenario}`);
    if (only !== undefined) console.log(stdout, stderr);
  }
  console.log(`${passed} of ${chosen.length} passed, with ${SUITE} and ${NODE}`);
} finally {
  await cleanUp();
}
