/**
 * Loaded into a process before its program (`node --require`): counts its operations on files, and
 * kills it at one of them. What to do comes as JSON in `ROOROO_TEST_KILL`.
 */
import fs = require("node:fs");
import promises = require("node:fs/promises");

interface Orders {
  /** `before`: any operation; `after`: one that changed something; `torn`: a half-done append. */
  readonly when: "before" | "after" | "torn";
  /** 1-based, among the operations that the moment can come to; 0: never. */
  readonly at: number;
  /** Told at the end how many there were, or what the process was killed at. */
  readonly note: string;
}
type Operation = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Operations = Record<string, Operation>;

const orders = JSON.parse(process.env["ROOROO_TEST_KILL"] ?? "{}") as Orders;
const tornParts = 8;
const counts = { before: 0, after: 0, torn: 0 };
const changes = /^(writeFile|appendFile|write|link|rename|unlink|rm|mkdir|utimes|truncate)$/;
const reads = /^(readFile|read|stat|lstat|readdir|readlink|realpath|access|open)$/;
const others = /^(sync|datasync|close|chmod|chown)$/;

function reached(when: Orders["when"], name: string, path: string): boolean {
  counts[when]++;
  if (orders.when !== when || counts[when] !== orders.at) return false;
  fs.writeFileSync(orders.note, `${when} ${name} ${path}`);
  return true;
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

const paths = new WeakMap<object, string>();

function pathOf(handle: unknown, first: unknown): string {
  const known = typeof handle === "object" && handle !== null ? paths.get(handle) : undefined;
  return known ?? (typeof first === "string" ? first : "");
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
      if (name === "write" && bytes instanceof Uint8Array && reached("torn", name, path)) {
        // In one line here, between two there.
        const part = ((orders.at % tornParts) + 1) / (tornParts + 1);
        await original.call(this, bytes.subarray(0, Math.floor(bytes.length * part)));
        die();
      }
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
process.on("exit", () => {
  if (orders.at === 0) fs.writeFileSync(orders.note, JSON.stringify(counts));
});
