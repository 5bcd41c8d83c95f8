import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { describeSandboxed } from "./sandboxed.js";

/** What a run of the host says; each line has some of these. */
interface Said {
  readonly countsConnections?: boolean;
  readonly untouchable?: number;
  readonly ran?: number;
  readonly line?: string;
  readonly found?: readonly string[];
  readonly error?: string;
}

/** How the host is started: which lines, how many at a time, and how many seconds each has. */
interface Part {
  readonly source: "written" | "mixed";
  readonly from: number;
  readonly to: number;
  readonly step: number;
  readonly batch: number;
  readonly seconds: number;
}

/** Those that did harm once, and a sample of all others; `npm run corpus` runs all. */
const parts: readonly Part[] = [
  { source: "written", from: 0, to: 49, step: 1, batch: 1, seconds: 1 },
  { source: "written", from: 49, to: 99_999, step: 60, batch: 20, seconds: 0.5 },
  { source: "mixed", from: 0, to: 120, step: 1, batch: 60, seconds: 0.3 },
];

/** Has a network of its own, where lines that name other machines reach none. */
const ownNetwork = [
  "--user",
  "--map-root-user",
  "--net",
  "--",
  "sh",
  "-c",
  'ip link set lo up && exec "$@"',
  "sh",
];

async function runHost(preset: "safe" | "all", part: Part): Promise<readonly Said[]> {
  const { source, from, to, step, batch, seconds } = part;
  const args = [preset, source, ...[from, to, step, batch, seconds].map(String)];
  const host = join(import.meta.dirname, "corpusHost.js");
  const child = spawn("unshare", [...ownNetwork, process.execPath, host, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, problems, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<[number | null]>,
  ]);
  assert.equal(code, 0, problems);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Said);
}

await describeSandboxed("Sandbox: hostile lines that nobody has reviewed", () => {
  before(() => {
    assert.ok(
      findProgram(["ip"], "/nowhere"),
      "The program ip is needed to give these lines a network of their own. Install iproute2.",
    );
  });

  const promises = {
    safe: "changes a file outside its own folder, or opens a connection",
    all: "changes a protected file, or one outside the workspace",
  };
  for (const preset of ["safe", "all"] as const) {
    it(`never ${promises[preset]}, under “${preset}”`, async () => {
      let ran = 0;
      // Most lines wait for their time to be up.
      for (const said of await Promise.all(parts.map((part) => runHost(preset, part)))) {
        assert.deepEqual(
          said.filter(({ line }) => line !== undefined),
          [],
        );
        assert.ok(said.some(({ countsConnections }) => countsConnections === true));
        assert.ok(said.some(({ untouchable = 0 }) => untouchable > 40));
        ran += said.at(-1)?.ran ?? 0;
      }
      process.stdout.write(`  ${ran} lines under “${preset}”\n`);
      assert.ok(ran > 200);
    });
  }
});
