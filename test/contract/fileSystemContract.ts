import assert from "node:assert/strict";
import fc from "fast-check";
import { temporaryName } from "../../src/core/access/temporaryName.js";
import { FileError } from "../../src/core/errors.js";
import type { FileSystem } from "../../src/core/ports/files.js";

/**
 * Defines the tests of what every {@link FileSystem} promises.
 *
 * @param make gives one with an empty workspace
 * @param oldEnough makes all files there older than a day
 */
export function fileSystemContract(make: () => FileSystem, oldEnough?: () => Promise<void>): void {
  let files: FileSystem;
  beforeEach(() => {
    files = make();
  });

  it("replaces a file only while it says what is expected", async () => {
    const text = async () => new TextDecoder().decode(await files.readFile("f"));
    const expected = new TextEncoder().encode("old");
    assert.equal(await files.replaceFile("f", "new", { expected }), false);
    assert.equal(await files.readFile("f"), undefined);
    await files.replaceFile("f", "edited");
    assert.equal(await files.replaceFile("f", "new", { expected }), false);
    assert.equal(await text(), "edited");
    await files.replaceFile("f", "old");
    assert.equal(await files.replaceFile("f", "new", { expected }), true);
    assert.equal(await text(), "new");
  });

  it("knows a path as the system has it, and takes it for the same one", async () => {
    await files.replaceFile("a/b.md", "x");
    for (const path of ["", "a", "a/b.md", "a/none"]) {
      const absolute = files.absolute(path);
      assert.match(absolute, /^(\/|[A-Z]:\\)/i);
      assert.equal(files.absolute(absolute), absolute);
      assert.deepEqual(await files.locate(absolute), { path, inside: true });
    }
  });

  it("gives back the bytes that were written", async () => {
    const bytes = Uint8Array.from([0, 255, 10, 13, 0xef, 0xbb, 0xbf]);
    await files.replaceFile("a/b/c.bin", bytes);
    assert.deepEqual([...((await files.readFile("a/b/c.bin")) ?? [])], [...bytes]);
    assert.equal((await files.stat("a/b/c.bin"))?.size, 7);
  });

  it("keeps a file's permission bits when it is replaced, and sets them", async () => {
    await files.replaceFile("run", "x");
    if ((await files.stat("run"))?.mode === undefined) return;
    await files.setMode("run", 0o755);
    await files.replaceFile("run", "y");
    assert.equal((await files.stat("run"))?.mode, 0o755);
    await assert.rejects(files.setMode("none", 0o755), FileError);
  });

  it("knows whom files and folders belong to, where the system has users", async () => {
    await files.replaceFile("a/b", "x");
    const owners = ["", "a", "a/b"].map(async (path) => (await files.stat(path))?.owner);
    const [root, ...others] = await Promise.all(owners);
    assert.equal(typeof root, process.platform === "win32" ? typeof others[0] : "number");
    assert.deepEqual(others, [root, root]);
  });

  it("answers what is not there without an error", async () => {
    await files.replaceFile("file", "x");
    for (const path of ["none", "none/below", "file/below"]) {
      assert.equal(await files.readFile(path), undefined);
      assert.equal(await files.stat(path), undefined);
      assert.deepEqual(await files.readDirectory(path), []);
      assert.equal((await files.readRange(path, 0, 10)).length, 0);
      await files.removeFile(path);
    }
  });

  it("refuses to treat a folder as a file, and says so", async () => {
    await files.replaceFile("folder/file", "x");
    for (const attempt of [
      () => files.readFile("folder"),
      () => files.replaceFile("folder", "x"),
      () => files.appendLines("folder", ["x"]),
      () => files.removeFile("folder"),
    ]) {
      await assert.rejects(attempt, (error) => {
        assert.ok(error instanceof FileError);
        assert.deepEqual([error.code, error.params], ["EISDIR", { path: "folder" }]);
        return true;
      });
    }
    assert.equal(await text(files, "folder/file"), "x");
  });

  it("refuses NUL in a path", async () => {
    for (const attempt of [() => files.locate("a\0b"), () => files.readFile("a\0b")]) {
      await assert.rejects(attempt, FileError);
    }
  });

  it("reads ranges, and less at the end", async () => {
    await files.replaceFile("f", "0123456789");
    const range = async (start: number, end: number) =>
      new TextDecoder().decode(await files.readRange("f", start, end));
    assert.equal(await range(2, 5), "234");
    assert.equal(await range(8, 50), "89");
    assert.equal(await range(50, 60), "");
  });

  it("lists names in order with their kinds", async () => {
    for (const path of ["b.txt", "a/x", "a-b", "C"]) await files.replaceFile(path, "");
    assert.deepEqual(await files.readDirectory(""), [
      { name: "C", kind: "file" },
      { name: "a", kind: "folder" },
      { name: "a-b", kind: "file" },
      { name: "b.txt", kind: "file" },
    ]);
  });

  it("creates a file once", async () => {
    assert.equal(await files.createFile("x/y", "first"), true);
    assert.equal(await files.createFile("x/y", "second"), false);
    assert.equal(await text(files, "x/y"), "first");
    assert.equal(await files.createFile("x", "over a folder"), false);
    const many = Array.from({ length: 8 }, (_, i) => files.createFile("z", `${i}`));
    assert.equal((await Promise.all(many)).filter(Boolean).length, 1);
  });

  it("locates paths however they are spelled", async () => {
    await files.replaceFile("src/main.js", "");
    const there = { path: "src/main.js", inside: true };
    assert.deepEqual(await files.locate("./src//x/../main.js"), there);
    const root = (await files.locate("../x")).path.replace(/\/x$/, "");
    assert.equal((await files.locate("..")).inside, false);
    assert.equal((await files.locate(`${root}/x`)).inside, false);
    assert.deepEqual(await files.locate(""), { path: "", inside: true });
    assert.deepEqual(await files.locate("not/yet/there"), { path: "not/yet/there", inside: true });
    assert.equal((await files.locate("..hidden")).inside, true);
  });

  it("appends in the order of the calls, and makes what is missing", async () => {
    const calls = Array.from({ length: 50 }, (_, i) => files.appendLines("log/a", [`${i}`]));
    await Promise.all(calls);
    assert.equal(
      await text(files, "log/a"),
      Array.from({ length: 50 }, (_, i) => `${i}\n`).join(""),
    );
  });

  it("removes what writes that were cut off have left, in a folder and below it", async () => {
    const left = temporaryName("queue.jsonl", "00000000ffffffff", "01234567");
    for (const path of [left, `.rooroo/${left}`, `.rooroo/tasks/1/${left}`, `src/deep/${left}`]) {
      await files.replaceFile(path, "half");
    }
    await files.replaceFile(`src/${left}`, "half");
    await files.replaceFile(".rooroo/queue.jsonl", "whole");
    await oldEnough?.();
    await files.removeTemporaries(".rooroo");
    await files.removeTemporaries("no/such/folder");
    await files.removeTemporaries("src", { below: false });
    const names = async (path: string) => (await files.readDirectory(path)).map(({ name }) => name);
    assert.deepEqual(await names(".rooroo/tasks/1"), []);
    assert.deepEqual(await names("src"), ["deep"]);
    assert.deepEqual(await names("src/deep"), [left]);
    assert.ok(!(await names(".rooroo")).includes(left));
    assert.equal(await text(files, ".rooroo/queue.jsonl"), "whole");
    assert.equal(await text(files, left), "half");
  });

  it("keeps every line whole, whatever the file ended with", async () => {
    const line = fc.string({ maxLength: 20 }).map((one) => one.replaceAll("\n", " "));
    const step = fc.oneof(
      fc.record({ append: fc.array(line, { maxLength: 3 }), durable: fc.boolean() }),
      fc.record({ tear: fc.string({ maxLength: 10 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        await files.removeFile("lines");
        let expected: Buffer | undefined;
        for (const one of steps) {
          if ("tear" in one) {
            // As another program, or a crash, leaves it.
            expected = Buffer.concat([expected ?? Buffer.alloc(0), Buffer.from(one.tear)]);
            await files.replaceFile("lines", expected);
          } else {
            await files.appendLines("lines", one.append, { durable: one.durable });
            if (one.append.length === 0) continue;
            const torn = expected !== undefined && expected.length > 0 && expected.at(-1) !== 10;
            const added = (torn ? "\n" : "") + one.append.map((each) => `${each}\n`).join("");
            expected = Buffer.concat([expected ?? Buffer.alloc(0), Buffer.from(added)]);
          }
        }
        const found = await files.readFile("lines");
        assert.deepEqual(found && Buffer.from(found), expected);
      }),
      { numRuns: 60 },
    );
  });
}

async function text(files: FileSystem, path: string): Promise<string | undefined> {
  const bytes = await files.readFile(path);
  return bytes && new TextDecoder().decode(bytes);
}
