import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FileError } from "../../src/core/errors.js";
import { DiskFileSystem } from "../../src/node/diskFileSystem.js";
import { fileError } from "../../src/node/fileError.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { fileSystemContract } from "./fileSystemContract.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("FileSystem: memory", () => {
  fileSystemContract(() => new MemoryFileSystem());

  it("follows links as the disk does", async () => {
    const files = new MemoryFileSystem({ "real/a": "x" });
    files.link("inner", "real");
    files.link("outer", "/etc");
    assert.deepEqual(await files.locate("inner/a"), { path: "real/a", inside: true });
    assert.deepEqual(await files.locate("outer/passwd"), { path: "/etc/passwd", inside: false });
  });
});

describe("FileSystem: disk", () => {
  const folder = temporaryFolder();
  const files = () => new DiskFileSystem(folder.path);
  const path = (name: string) => join(folder.path, name);
  fileSystemContract(files);

  it("says where a link really leads", async () => {
    await mkdir(path("real"));
    await symlink("real", path("inner"));
    await symlink("/etc", path("outer"));
    await symlink("../../outside/of", path("real/dangling"));
    await symlink("inner/new", path("chain"));
    await symlink("loop", path("loop"));
    assert.deepEqual(await files().locate("inner/a/b"), { path: "real/a/b", inside: true });
    assert.deepEqual(await files().locate("outer/passwd"), { path: "/etc/passwd", inside: false });
    assert.deepEqual(await files().locate("chain"), { path: "real/new", inside: true });
    assert.equal((await files().locate("inner/dangling/x")).inside, false);
    assert.match((await files().locate("inner/dangling/x")).path, /\/outside\/of\/x$/);
    await assert.rejects(files().locate("loop"), { code: "ELOOP" });
  });

  it("resolves a link's `..` where the link's folders really are", async () => {
    await mkdir(path("a"));
    await symlink("/etc", path("a/away"));
    // Read word by word this would be `secret` in the workspace; the system goes to `/secret`.
    await symlink("a/away/../secret", path("trick"));
    assert.deepEqual(await files().locate("trick"), { path: "/secret", inside: false });
  });

  it("finds itself inside a workspace that is a link", async () => {
    await mkdir(path("real"));
    await symlink("real", path("workspace"));
    const linked = new DiskFileSystem(path("workspace"));
    assert.deepEqual(await linked.locate("x"), { path: "x", inside: true });
    assert.deepEqual(await linked.locate(path("real/x")), { path: "x", inside: true });
    assert.equal((await linked.locate(path("other"))).inside, false);
  });

  it("replaces the file behind a link, and keeps its mode", async () => {
    await writeFile(path("script"), "old");
    await chmod(path("script"), 0o751);
    await symlink("script", path("link"));
    await files().replaceFile("link", "new");
    assert.equal(await readFile(path("script"), "utf8"), "new");
    assert.equal((await stat(path("script"))).mode & 0o777, 0o751);
    assert.deepEqual((await readdir(folder.path)).sort(), ["link", "script"]);
  });

  it("never shows a file half-replaced, and leaves no temporary file", async () => {
    const versions = ["a", "b"].map((letter) => letter.repeat(300_000));
    await files().replaceFile("f", versions[0]!);
    const state = { writing: true };
    const writes = (async () => {
      for (let i = 0; i < 20; i++) await files().replaceFile("f", versions[i % 2]!);
      state.writing = false;
    })();
    while (state.writing) assert.ok(versions.includes(await readFile(path("f"), "utf8")));
    await writes;
    assert.deepEqual(await readdir(folder.path), ["f"]);
  });

  it("removes its temporary file when it fails", async () => {
    await mkdir(path("taken"));
    await assert.rejects(files().replaceFile("taken", "x"), FileError);
    await writeFile(path("file"), "");
    await assert.rejects(files().replaceFile("file/below", "x"), { code: "ENOTDIR" });
    assert.deepEqual((await readdir(folder.path)).sort(), ["file", "taken"]);
  });

  it("does not create over a dangling link", async () => {
    await symlink("nowhere", path("link"));
    assert.equal(await files().createFile("link", "x"), false);
    assert.deepEqual(await readdir(folder.path), ["link"]);
  });

  it("appends beside other processes without tearing lines", async function () {
    this.timeout(20_000);
    const module = join(import.meta.dirname, "../../src/node/diskFileSystem.js");
    const script = `const { DiskFileSystem } = await import(process.argv[1]);
      const files = new DiskFileSystem(process.argv[2]);
      for (let i = 0; i < 200; i++) await files.appendLines("log", [process.argv[3].repeat(300)]);`;
    const run = (letter: string) =>
      promisify(execFile)(process.execPath, [
        "--input-type=module",
        "--eval",
        script,
        module,
        folder.path,
        letter,
      ]);
    await Promise.all(["a", "b", "c"].map(run));
    const lines = (await readFile(path("log"), "utf8")).trimEnd().split("\n");
    assert.equal(lines.length, 600);
    for (const line of lines) assert.match(line, /^(a{300}|b{300}|c{300})$/);
  });

  it("appends at a cost that does not grow with the file", async function () {
    this.timeout(20_000);
    await writeFile(path("small"), "");
    await writeFile(path("large"), "");
    await truncate(path("large"), 2 ** 32);
    const end = await open(path("large"), "a");
    await end.write("\n");
    await end.close();
    const before = process.memoryUsage().rss;
    const cost = async (name: string) => {
      const started = performance.now();
      for (let i = 0; i < 300; i++) await files().appendLines(name, [`line ${i}`]);
      return (performance.now() - started) / 300;
    };
    await cost("small");
    const [small, large] = [await cost("small"), await cost("large")];
    assert.ok(large < 5 * small + 1, `small ${small} ms, large ${large} ms`);
    assert.ok(process.memoryUsage().rss - before < 200_000_000);
  });

  it("says what to do about what the system reports", () => {
    const of = (code: string) =>
      (fileError(Object.assign(new Error("x"), { code }), "a/b", "write") as FileError).message;
    assert.match(of("ENOSPC"), /a\/b: the disk is full\. Free some space/);
    assert.match(of("EACCES"), /No permission to write a\/b\. Change its permissions/);
    assert.match(of("EWHATEVER"), /\(EWHATEVER\)/);
    const bug = new Error("a bug");
    assert.equal(fileError(bug, "a", "write"), bug);
  });
});
