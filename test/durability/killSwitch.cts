/**
 * Loaded into a process before its program (`node --require`): counts its operations on files, and on request what it says to
 * servers, hears of them and starts, and kills it at one of them. What to do comes as JSON in `ROOROO_TEST_KILL`. A kind of operation is what it does and what kind of file it does it to, as in
 * `rename .rooroo/tasks/ID/report.json`.
 */
import fs = require("node:fs");
import promises = require("node:fs/promises");
import childProcess = require("node:child_process");
import net = require("node:net");
import nodePath = require("node:path");

interface Orders {
  /** `before`: any operation; `after`: one that changed something; `torn`: a half-done append. */
  readonly when: "before" | "after" | "torn";
  /** 1-based, among the operations that the moment can come to, or among those of the kind; 0: never. */
  readonly at: number;
  readonly kind?: string;
  /** Whether what goes over sockets and programs that are started are operations, too. */
  readonly talks?: boolean;
  /** Told at the end how many there were, and how many of each kind, or what the process was killed at. */
  readonly note: string;
}
type Operation = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Operations = Record<string, Operation>;

const orders = JSON.parse(process.env["ROOROO_TEST_KILL"] ?? "{}") as Orders;
const tornParts = 8;
const counts = { before: 0, after: 0, torn: 0 };
/** By when, then by kind. Those before an operation are not told apart: they leave what the change before has left. */
const kinds = { before: {}, after: {}, torn: {} } as Record<Orders["when"], Record<string, number>>;
const changes =
  /^(writeFile|appendFile|write|link|rename|unlink|rm|mkdir|utimes|lutimes|truncate)$/;
const reads = /^(readFile|read|stat|lstat|readdir|readlink|realpath|access|open)$/;
const others = /^(sync|datasync|close|chmod|chown)$/;

function reached(when: Orders["when"], name: string, place: string): boolean {
  counts[when]++;
  if (orders.at > 0 && orders.when !== when) return false;
  const kind = when === "before" ? "" : kindOf(name, place);
  const ofKind = (kinds[when][kind] = (kinds[when][kind] ?? 0) + 1);
  const isTheOne = orders.kind === undefined || orders.kind === kind;
  const count = orders.kind === undefined ? counts[when] : ofKind;
  if (orders.when !== when || !isTheOne || count !== orders.at) return false;
  fs.writeFileSync(orders.note, `${when} ${name} ${place}`);
  return true;
}

/**
 * Returns what an operation does, and to what kind of file: paths are the same from run to run, and for all tasks. A folder
 * that is made, and a temporary file until it has its place, mean nothing to anybody whatever they are for.
 */
function kindOf(operation: string, path: string): string {
  if (operation === "mkdir") return operation;
  const [, way = "", rest = ""] = /^(\/proc\/self\/fd\/\d+)(.*)$/.exec(path) ?? [];
  const whole = nodePath.relative(process.cwd(), way === "" ? path : fs.readlinkSync(way) + rest);
  const isPlaced = /^(link|rename|renameSync)$/.test(operation);
  if (whole.endsWith(".tmp") && !isPlaced) return `${operation} temporary`;
  if (/^multiverse\/(.*\/)?db\//.test(whole)) return `${operation} table`;
  // The dot of a temporary file at the top is not one of the program's own folders.
  if (!/^\.(rooroo|jixo|\.)\//.test(whole)) return `${operation} project`;
  const place = whole
    .replace(/\.([^/]+)\.[0-9a-z]+\.tmp$/, "$1")
    .replace(/^\.\.\/[^/]*/, "HOME")
    .replace(/[^/]*-[^/]*(?=\.lock$)/, (name) => `${name.slice(0, name.indexOf("-"))}-ID`)
    .replaceAll(/[^/.]*[#\d][^/]*(?=\.jsonl|\/|$)/g, "ID");
  return `${operation} ${place}`;
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

const paths = new WeakMap<object, string>();

function pathOf(handle: unknown, first: unknown): string {
  const known = typeof handle === "object" && handle !== null ? paths.get(handle) : undefined;
  return known ?? (typeof first === "string" ? first : "");
}

/** Where it is time, writes a part and ends the process. */
function tear(file: number, bytes: Uint8Array, path: string): void {
  if (!reached("torn", "write", path)) return;
  const part = ((counts.torn % tornParts) + 1) / (tornParts + 1);
  fs.writeSync(file, bytes.subarray(0, Math.floor(bytes.length * part)));
  die();
}

function patch(object: Operations): void {
  for (const name of Object.keys(Object.getOwnPropertyDescriptors(object))) {
    if (!changes.test(name) && !reads.test(name) && !others.test(name)) continue;
    const original = object[name];
    if (typeof original !== "function") continue;
    object[name] = async function (...args) {
      const path = pathOf(this, args[0]);
      if (reached("before", name, path)) die();
      const [bytes] = args;
      const isAppend = name === "write" && bytes instanceof Uint8Array;
      if (isAppend) tear((this as promises.FileHandle).fd, bytes, path);
      const result = await original.apply(this, args);
      if (name === "open") learn(result as object, path);
      if (changes.test(name) && reached("after", name, path)) die();
      return result;
    };
  }
}

let handles = false;

/** The class of open files is not to be had but from an open file. */
function learn(handle: object, path: string): void {
  paths.set(handle, path);
  if (handles) return;
  handles = true;
  patch(Object.getPrototypeOf(handle) as Operations);
}

patch(promises as unknown as Operations);
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  if (reached("before", "renameSync", String(from))) die();
  renameSync(from, to);
  if (reached("after", "renameSync", String(from))) die();
};
if (orders.talks === true) {
  /** Has a function be an operation, where `counts` says that a call is one. */
  const patchCalls = (object: object, name: string, isCounted: (first: unknown) => boolean) => {
    const functions = object as Record<string, (...args: unknown[]) => unknown>;
    const original = functions[name];
    if (original === undefined) return;
    functions[name] = function (this: unknown, ...args: unknown[]) {
      const counts = isCounted(args[0]);
      if (counts && reached("before", name, "")) die();
      const result = original.apply(this, args);
      if (counts && reached("after", name, "")) die();
      return result;
    };
  };
  patchCalls(net.Socket.prototype, "write", () => true);
  // What a server has done is done when its answer is here, whether anybody reads that or not.
  patchCalls(net.Socket.prototype, "emit", (event) => event === "data");
  for (const name of ["execFile", "spawn"]) patchCalls(childProcess, name, () => true);
}
process.on("exit", () => {
  if (orders.at === 0) fs.writeFileSync(orders.note, JSON.stringify({ ...counts, kinds }));
});
