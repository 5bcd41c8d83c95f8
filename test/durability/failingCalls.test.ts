import assert from "node:assert/strict";
import fs from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError } from "../../src/core/errors.js";
import type { FileSystem } from "../../src/core/ports/files.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

type Call = (this: unknown, ...args: unknown[]) => Promise<unknown>;
type Calls = Record<string, Call>;

const names =
  /^(open|stat|lstat|realpath|readlink|mkdir|link|rename|unlink|readFile|writeFile|write|read|sync|close|chmod)$/;
type SyncCall = (this: unknown, ...args: unknown[]) => unknown;
const syncNames = [
  "openSync",
  "lstatSync",
  "fstatSync",
  "readSync",
  "readlinkSync",
  "renameSync",
] as const;
const codes = ["EIO", "ENOSPC", "EMFILE"] as const;

/** Lets one call of the system fail, while the work is done; answers with whether it came so far. */
class FailingCalls {
  private count = 0;
  private at = Infinity;
  private code = "";
  private failed = "";
  private readonly originals: [Calls, string, Call][] = [];
  private readonly syncOriginals: [string, SyncCall][] = [];

  async install(): Promise<void> {
    this.patch(promises as unknown as Calls);
    const handle: FileHandle = await promises.open(tmpdir(), "r");
    this.patch(Object.getPrototypeOf(handle) as Calls);
    await handle.close();
    this.patchSync(fs as unknown as Record<string, SyncCall>);
    syncBuiltinESMExports();
  }

  remove(): void {
    for (const [object, name, original] of this.originals) object[name] = original;
    for (const [name, original] of this.syncOriginals) {
      (fs as unknown as Record<string, SyncCall>)[name] = original;
    }
    syncBuiltinESMExports();
  }

  /** @returns the call that failed; empty when there were fewer */
  async during(at: number, code: string, work: () => Promise<void>): Promise<string> {
    [this.count, this.at, this.code, this.failed] = [0, at, code, ""];
    try {
      await work();
      return this.failed;
    } finally {
      this.at = Infinity;
    }
  }

  private patch(object: Calls): void {
    for (const name of Object.keys(Object.getOwnPropertyDescriptors(object))) {
      const original = object[name];
      if (!names.test(name) || original === undefined) continue;
      this.originals.push([object, name, original]);
      const fails = (): boolean => this.fails();
      const failure = (): Error => this.failure(name);
      object[name] = async function (...args) {
        if (!fails()) return original.apply(this, args);
        // A file that could not be closed is closed all the same.
        if (name === "close") await original.apply(this, args);
        throw failure();
      };
    }
  }

  private patchSync(object: Record<string, SyncCall>): void {
    for (const name of syncNames) {
      const original = object[name];
      if (original === undefined) throw new Error(`there is no ${name}`);
      this.syncOriginals.push([name, original]);
      const fails = (): boolean => this.fails();
      const failure = (): Error => this.failure(name);
      object[name] = function (...args) {
        if (fails()) throw failure();
        return original.apply(this, args);
      };
    }
  }

  private fails(): boolean {
    return ++this.count === this.at;
  }

  private failure(name: string): Error {
    this.failed = name;
    return Object.assign(new Error(this.code), { code: this.code });
  }
}

const old = "old\n";
const writes: Record<string, (files: FileSystem) => Promise<unknown>> = {
  replaceFile: (files) => files.replaceFile("a/f", "new\n"),
  "replaceFile, expected": (files) =>
    files.replaceFile("a/f", "new\n", { expected: Buffer.from(old) }),
  createFile: (files) => files.createFile("b/c/f", "new\n"),
  appendLines: (files) => files.appendLines("a/f", ["new"], { durable: true }),
  removeFile: (files) => files.removeFile("a/f"),
};
/** What there may be afterwards: what was, or what was to be. */
const outcomes: Record<string, readonly (string | undefined)[]> = {
  replaceFile: [old, "new\n"],
  "replaceFile, expected": [old, "new\n"],
  createFile: [undefined, "new\n"],
  appendLines: [old, `${old}new\n`],
  removeFile: [old, undefined],
};

describe("a call of the system that fails", () => {
  useMemoryFolder();
  const failing = new FailingCalls();
  before(() => failing.install());
  after(() => {
    failing.remove();
  });

  for (const [name, write] of Object.entries(writes)) {
    it(`leaves the old content or the new one, and is told in words: ${name}`, async () => {
      let tried = 0;
      for (const code of codes) {
        for (let at = 1; ; at++) {
          const root = await promises.mkdtemp(join(tmpdir(), "rooroo-calls-"));
          const files = new DiskFileSystem(root);
          await files.replaceFile("a/f", old);
          let error: unknown;
          const failed = await failing.during(at, code, async () => {
            await write(files).catch((thrown: unknown) => (error = thrown));
          });
          if (failed === "") break;
          tried++;
          const where = `${failed}, call ${at}, ${code}`;
          const path = name === "createFile" ? "b/c/f" : "a/f";
          const bytes = await files.readFile(path);
          const text = bytes && new TextDecoder().decode(bytes);
          assert.ok(outcomes[name]?.includes(text), `${where}: ${text ?? "nothing"}`);
          if (error === undefined) assert.equal(text, outcomes[name]?.[1], where);
          else {
            assert.ok(error instanceof FileError, where);
            assert.deepEqual([error.code, error.params["path"]], [code, path], where);
          }
          // Once the trouble is over it works, whatever was left.
          await write(files);
          await promises.rm(root, { recursive: true });
        }
      }
      say(`${tried} failing calls in ${name}`);
      assert.ok(tried > 10);
    });
  }
});
