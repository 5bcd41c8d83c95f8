import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBubblewrap } from "../host/ensureBubblewrap.mjs";
import { ensureChromium } from "../host/ensureChromium.mjs";
import { ensurePostgres } from "../host/ensurePostgres.mjs";
import { ensureVSCodeServer, vscodeServerVersions } from "../host/ensureVSCodeServer.mjs";
import { root } from "../root.mjs";
import { Lanes } from "./lanes.mjs";
import { runCounted } from "./runCounted.mjs";
import { runScript } from "./runScript.mjs";

/** @typedef {import("./runCounted.mjs").Counts} Counts */

/**
 * The suites, which run side by side, a few processes at a time. Those that are first here go first; those at the end have
 * processes of seconds, so that all lanes end at the same time. One whose folder does not exist (yet) is left out.
 *
 * @type {ReadonlyMap<string, () => Promise<Counts | undefined>>}
 */
export const suites = new Map([
  ["check", () => lanes.run(() => runScript(["scripts/check.mjs"]))],
  ["unit", () => mocha("unit", inShares(2))],
  [
    "contract",
    () => mocha("contract", apart(["bench", "teamQueue"], inShares(4)), contractsReady()),
  ],
  ["editor", () => editor(hostsReady())],
  ["panel", () => mocha("panel", inShares(3), browserReady())],
  ["ui", () => mocha("ui", inShares(1), hostsReady(), { windows: true })],
  ["smoke", () => mocha("smoke", inShares(1), allHostsReady(), { windows: true })],
  ["cli", () => mocha("cli", inShares(4), ensurePostgres())],
  ["durability", () => mocha("durability", oneByOne, ensurePostgres())],
]);

/** Those that need VS Code. */
export const suitesWithWindows = ["editor", "ui", "smoke"];

/** The time after which a test is taken for one that hangs: no verdict is to depend on the machine's speed. */
const HANGS_MS = 300_000;
/** The number of slowest files of a suite that are named. */
const namedFiles = 5;
const lanes = new Lanes();

const here = dirname(fileURLToPath(import.meta.url));

/**
 * Divides files of milliseconds: a process takes many.
 *
 * @param {number} shares More than lanes, where some files take longer than a hundred others.
 * @returns {(files: string[]) => string[][]}
 */
function inShares(shares) {
  return (files) =>
    Array.from({ length: Math.min(shares, files.length) }, (_, share) =>
      files.filter((_file, index) => index % shares === share),
    );
}

/**
 * Gives files that take much memory a process of their own: starting a program takes 1.4 ms from a process of 1 MB, and 44 ms
 * from one of 1 GB, and most other files start many.
 *
 * @param {readonly string[]} names
 * @param {(files: string[]) => string[][]} divide The others.
 * @returns {(files: string[]) => string[][]}
 */
function apart(names, divide) {
  const isOne = (/** @type {string} */ file) => names.includes(nameOf(file));
  return (files) => [
    ...divide(files.filter((file) => !isOne(file))),
    ...files.filter(isOne).map((file) => [file]),
  ];
}

/** Divides files of seconds: whichever process is free takes the next. @param {string[]} files */
function oneByOne(files) {
  return files.map((file) => [file]);
}

/**
 * @param {string} suite
 * @param {(files: string[]) => string[][]} divide The files of each process.
 * @param {Promise<void>} [ready] What they need beside what is built.
 * @param {import("./lanes.mjs").Needs} [needs]
 */
async function mocha(suite, divide, ready, needs) {
  const source = join(root, "test", suite);
  if (!existsSync(source)) return undefined;
  const names = readdirSync(source, { encoding: "utf8", recursive: true });
  const tests = names.filter((name) => name.endsWith(".test.ts") && isForThisSystem(name)).sort();
  const compiled = tests.map((name) => join(root, "out", "test", suite, name.replace(/ts$/, "js")));
  /** @type {{ name: string, seconds: number }[]} */
  const times = [];
  await ready;
  const counts = await Promise.all(
    divide(compiled).map((files) =>
      lanes.run(
        async () => {
          const startedAt = performance.now();
          const own = await runCounted({ suite, files, args: mochaArgs });
          const seconds = Math.round((performance.now() - startedAt) / 1000);
          times.push({ name: files.length === 1 ? nameOf(files[0]) : "a share", seconds });
          return own;
        },
        { rank: rankOf(suite), ...needs },
      ),
    ),
  );
  const slowest = times
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, namedFiles)
    .map(({ name, seconds }) => `${name} ${seconds} s`);
  /** @param {(one: Counts) => number} of */
  const sum = (of) => counts.reduce((total, one) => total + of(one), 0);
  return {
    passed: sum((one) => one.passed),
    failed: sum((one) => one.failed),
    notRun: sum((one) => one.notRun ?? 0),
    flaky: sum((one) => one.flaky ?? 0),
    kills: counts.flatMap((one) => one.kills ?? []),
    slowest,
  };
}

/** Whether a file's tests can run here: those of `x.linux.test.ts` need Linux. @param {string} name */
function isForThisSystem(name) {
  const [, system = process.platform] = /\.(linux|darwin|win32)\.test\.ts$/.exec(name) ?? [];
  return system === process.platform;
}

/** @param {readonly string[]} files */
function mochaArgs(files) {
  return [join(here, "mochaChild.mjs"), String(HANGS_MS), ...files];
}

/** @param {string} suite */
function rankOf(suite) {
  return [...suites.keys()].indexOf(suite);
}

/** @param {string} [file] */
function nameOf(file = "") {
  return basename(file, ".test.js");
}

/** @param {Promise<void>} ready */
async function editor(ready) {
  if (!existsSync(join(root, "test", "editor"))) return undefined;
  await ready;
  const args = () => [join(here, "editorChild.mjs")];
  const run = () => runCounted({ suite: "editor", files: [], args });
  return lanes.run(run, { rank: rankOf("editor"), windows: true });
}

/** @type {Promise<void> | undefined} */
let preparing;

/** Installs one after the other, because apt lets one in only. */
async function contractsReady() {
  await ensureBubblewrap();
  await ensurePostgres();
}

/** As `hostsReady`, with every VS Code that we know. */
async function allHostsReady() {
  await hostsReady();
  for (const version of vscodeServerVersions) await ensureVSCodeServer({ version });
}

/** @type {Promise<unknown> | undefined} */
let preparingBrowser;

/** Brings a browser here, once. */
async function browserReady() {
  preparingBrowser ??= ensureChromium();
  await preparingBrowser;
}

/** Brings VS Code and a browser here, once, while what does not need them runs. */
export function hostsReady() {
  const prepare = async () => {
    await ensureVSCodeServer();
    await browserReady();
  };
  preparing ??= prepare();
  // Whoever needs them is told when it is their turn.
  preparing.catch(() => undefined);
  return preparing;
}
