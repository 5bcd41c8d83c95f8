/**
 * Loaded into a process before its program (`node --require`): counts its operations on files, and
 * kills it at one of them, or copies what is on disk at each that it could be killed at. What to do
 * comes as JSON in `ROOROO_TEST_KILL`.
 */
import childProcess = require("node:child_process");
import fs = require("node:fs");
import promises = require("node:fs/promises");
import nodePath = require("node:path");

const { spawnSync } = childProcess;
const { join } = nodePath;

interface Orders {
  /** `before`: any operation; `after`: one that changed something; `torn`: a half-done append. */
  readonly when: "before" | "after" | "torn";
  /** 1-based, among the operations that the moment can come to; 0: never. */
  readonly at: number;
  /** Told at the end how many there were, or what the process was killed at. */
  readonly note: string;
  /** Folders to be copied as a process that is killed leaves them, by the copy's name, and where to. */
  readonly copies?: { readonly of: Readonly<Record<string, string>>; readonly to: string };
}
type Operation = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Operations = Record<string, Operation>;

const orders = JSON.parse(process.env["ROOROO_TEST_KILL"] ?? "{}") as Orders;
const tornParts = 8;
const counts = { before: 0, after: 0, torn: 0 };
const changes =
  /^(writeFile|appendFile|write|link|rename|unlink|rm|mkdir|utimes|lutimes|truncate)$/;
const reads = /^(readFile|read|stat|lstat|readdir|readlink|realpath|access|open)$/;
const others = /^(sync|datasync|close|chmod|chown)$/;

function reached(when: Orders["when"], name: string, place: string): boolean {
  counts[when]++;
  if (when === "after") copy(`after-${counts.after}`, `${name} ${place}`);
  if (orders.when !== when || counts[when] !== orders.at) return false;
  fs.writeFileSync(orders.note, `${when} ${name} ${place}`);
  return true;
}

/** All threads stand still meanwhile: nothing that is under way gets any further. */
const copyStopped = `
kill -STOP "$PPID"
while [ "$state" != T ]; do
  while read -r key state rest && [ "$key" != State: ]; do :; done < "/proc/$PPID/status"
done
while [ $# -gt 0 ] && cp -a "$1" "$2"; do shift 2; done
kill -CONT "$PPID"
[ $# = 0 ]`;

/** As it is on disk when the process is killed here. */
function copy(moment: string, place: string): void {
  if (orders.copies === undefined) return;
  const to = join(orders.copies.to, moment);
  fs.mkdirSync(to);
  fs.writeFileSync(join(to, "place"), place);
  const folders = Object.entries(orders.copies.of)
    .filter(([, folder]) => fs.existsSync(folder))
    .flatMap(([name, folder]) => [folder, join(to, name)]);
  const { status, stderr } = spawnSync("sh", ["-c", copyStopped, "sh", ...folders]);
  if (status !== 0) throw new Error(`no copy at ${moment}: ${stderr.toString()}`);
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}

const paths = new WeakMap<object, string>();

function pathOf(handle: unknown, first: unknown): string {
  const known = typeof handle === "object" && handle !== null ? paths.get(handle) : undefined;
  return known ?? (typeof first === "string" ? first : "");
}

/**
 * Writes in two parts, between which the process ends, or a copy is made; answers with whether it has.
 * In one line it is torn here, between two there. Nothing else of this process comes between.
 */
function torn(file: number, bytes: Uint8Array, path: string): boolean {
  const isLast = reached("torn", "write", path);
  if (!isLast && orders.copies === undefined) return false;
  const part = ((counts.torn % tornParts) + 1) / (tornParts + 1);
  const cut = Math.floor(bytes.length * part);
  fs.writeSync(file, bytes.subarray(0, cut));
  if (isLast) die();
  copy(`torn-${counts.torn}`, `write ${path}`);
  fs.writeSync(file, bytes.subarray(cut));
  return true;
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
      const isWritten = isAppend && torn((this as promises.FileHandle).fd, bytes, path);
      const result = isWritten
        ? { bytesWritten: bytes.length, buffer: bytes }
        : await original.apply(this, args);
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
