import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readlinkSync, renameSync } from "node:fs";
import {
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { FileError } from "../../src/core/errors.js";
import { type Said, spoken } from "../../src/core/text/words.js";
import { appendLines } from "../../src/node/files/appendLines.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { fileError } from "../../src/node/files/fileError.js";
import { newTemporaryName } from "../../src/node/files/temporaryFiles.js";
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

describe("FileSystem: disk", function () {
  const folder = temporaryFolder();
  const files = () => new DiskFileSystem(folder.path);
  const path = (name: string) => join(folder.path, name);
  const dayAgo = new Date(Date.now() - 25 * 60 * 60 * 1000);
  fileSystemContract(files, async () => {
    for (const name of await readdir(folder.path, { recursive: true })) {
      await utimes(path(name), dayAgo, dayAgo);
    }
  });

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

  it("keeps the mode of a file that it replaces, and writes through no link to it", async () => {
    await writeFile(path("script"), "old");
    await chmod(path("script"), 0o751);
    await symlink("script", path("link"));
    await files().replaceFile("script", "new");
    assert.equal(await readFile(path("script"), "utf8"), "new");
    assert.equal((await stat(path("script"))).mode & 0o777, 0o751);
    await assert.rejects(files().replaceFile("link", "newer"), { code: "ELEADSOUT" });
    assert.equal(await readFile(path("script"), "utf8"), "new");
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

  it("keeps what another program saves while it looks for the last time", async () => {
    await writeFile(path("f"), "old");
    await writeFile(path("saved"), "saved");
    const any = await open("/dev/null");
    const prototype = Object.getPrototypeOf(any) as FileHandle;
    await any.close();
    const original = prototype.readFile;
    prototype.readFile = async function (this: FileHandle, ...options: unknown[]) {
      const bytes: unknown = await Reflect.apply(original, this, options);
      renameSync(path("saved"), path("f"));
      return bytes;
    } as typeof original;
    try {
      const expected = Buffer.from("old");
      assert.equal(await files().replaceFile("f", "ours", { expected }), false);
    } finally {
      prototype.readFile = original;
    }
    assert.equal(await readFile(path("f"), "utf8"), "saved");
    assert.deepEqual(await readdir(folder.path), ["f"]);
  });

  it("shows nobody else what it writes to a file that only its owner reads", async () => {
    await writeFile(path("key"), "old", { mode: 0o600 });
    const state = { writing: true };
    const writing = files()
      .replaceFile("key", "k".repeat(30_000_000))
      .finally(() => (state.writing = false));
    const modes = new Set<number>();
    while (state.writing) {
      for (const name of await readdir(folder.path)) {
        const found = await stat(path(name)).catch(() => undefined);
        if (found !== undefined) modes.add(found.mode & 0o777);
      }
    }
    await writing;
    assert.deepEqual([...modes], [0o600]);
  });

  it("makes nothing where a link leads", async () => {
    const outside = `${folder.path}-outside`;
    await symlink(outside, path("log"));
    try {
      await assert.rejects(appendLines(path("log"), ["ours"], false), { code: "ELEADSOUT" });
      await assert.rejects(readFile(outside, "utf8"), { code: "ENOENT" });
    } finally {
      await rm(outside, { force: true });
    }
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
    await assert.rejects(files().createFile("link", "x"), { code: "ELEADSOUT" });
    assert.equal(await files().createFile("link", "x", { located: true }), false);
    assert.deepEqual(await readdir(folder.path), ["link"]);
  });

  it("lets no link make a path of the workspace lead out of it", async () => {
    const outside = `${folder.path}-outside`;
    await mkdir(outside);
    try {
      await writeFile(join(outside, "f"), "theirs");
      await symlink(outside, path("away"));
      await symlink(join(outside, "f"), path("file"));
      await symlink(join(outside, "new"), path("dangling"));
      await mkdir(path("a"));
      await symlink("../away", path("a/chain"));
      for (const way of ["away/f", "a/chain/f", "file", "dangling", "away/sub/new"]) {
        for (const attempt of [
          () => files().replaceFile(way, "ours"),
          () => files().createFile(way, "ours"),
          () => files().appendLines(way, ["ours"]),
          () => files().removeFile(way),
        ]) {
          await assert.rejects(attempt, { code: "ELEADSOUT" }, way);
        }
        if (!/new|dangling/.test(way)) {
          await assert.rejects(files().readFile(way), { code: "ELEADSOUT" });
          await assert.rejects(files().readRange(way, 0, 1), { code: "ELEADSOUT" });
        }
        assert.equal(await files().replaceFile(way, "ours", { located: true }), false);
        assert.equal(await files().createFile(way, "ours", { located: true }), false);
      }
      assert.deepEqual(await readdir(outside), ["f"]);
      assert.equal(await readFile(join(outside, "f"), "utf8"), "theirs");
      // Named as what it is, it is what somebody was asked about.
      assert.equal(await files().replaceFile(join(outside, "f"), "ours", { located: true }), true);
      assert.equal(await readFile(join(outside, "f"), "utf8"), "ours");
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it("writes nowhere else when a folder is exchanged for a link meanwhile", async () => {
    const outside = `${folder.path}-outside`;
    await mkdir(outside);
    await mkdir(path("f"));
    const exchange = "while :; do mv -T f real; ln -sT $0 f; rm f; mv -T real f; done 2>/dev/null";
    const other = spawn("bash", ["-c", exchange, outside], { cwd: folder.path });
    const written = { here: 0 };
    try {
      for (let i = 0; i < 200; i++) {
        const attempt = files().createFile(`f/x${i}`, "x", { located: true });
        // Refused, or in the way of the one that exchanges.
        if (await attempt.catch((error: unknown) => !(error instanceof FileError))) written.here++;
      }
    } finally {
      other.kill("SIGKILL");
      await once(other, "exit");
      const found = await readdir(outside);
      await rm(outside, { recursive: true });
      assert.deepEqual(found, []);
    }
    assert.ok(written.here > 0);
  });

  it("writes through no link, wherever it leads, and says which one it is", async () => {
    await mkdir(path("real"));
    await writeFile(path("real/f"), "theirs\n");
    await symlink("real", path("folder"));
    await symlink("real/f", path("file"));
    for (const way of ["folder/f", "folder/new", "folder/new/new", "file"]) {
      for (const attempt of [
        () => files().replaceFile(way, "ours"),
        () => files().createFile(way, "ours"),
        () => files().appendLines(way, ["ours"]),
        () => files().removeFile(way),
        () => files().setMode(way, 0o600),
      ]) {
        await assert.rejects(attempt, (error) => {
          assert.ok(error instanceof FileError);
          assert.equal(error.code, "ELEADSOUT");
          assert.match(spoken(error.params["link"] as Said), /\/(folder|file)$/);
          return true;
        });
      }
    }
    assert.deepEqual((await readdir(folder.path)).sort(), ["file", "folder", "real"]);
    assert.deepEqual(await readdir(path("real")), ["f"]);
    assert.equal(await readFile(path("real/f"), "utf8"), "theirs\n");
    assert.notEqual((await stat(path("real/f"))).mode & 0o777, 0o600);
    assert.equal(new TextDecoder().decode(await files().readFile("folder/f")), "theirs\n");
  });

  it("changes no file that has another name elsewhere", async () => {
    await mkdir(path("logs"));
    await writeFile(path("config"), "theirs\n");
    await link(path("config"), path("logs/log"));
    await assert.rejects(files().appendLines("logs/log", ["ours"]), (error) => {
      assert.ok(error instanceof FileError);
      assert.deepEqual([error.code, error.params], ["EMLINK", { path: "logs/log" }]);
      return true;
    });
    await files().replaceFile("logs/log", "ours");
    assert.equal(await readFile(path("config"), "utf8"), "theirs\n");
    assert.equal(await readFile(path("logs/log"), "utf8"), "ours");
  });

  it("removes temporary files of processes that have ended, and leaves those of others", async () => {
    await mkdir(path(".rooroo/locks"), { recursive: true });
    await mkdir(path("outside"));
    await symlink("../outside", path(".rooroo/away"));
    const module = join(import.meta.dirname, "../../src/node/files/temporaryFiles.js");
    const script = `const { newTemporaryName } = await import(process.argv[1]);
      process.stdout.write(newTemporaryName("f"));`;
    const { stdout: left } = await promisify(execFile)(process.execPath, [
      "--input-type=module",
      "--eval",
      script,
      module,
    ]);
    const kept = [
      // Of this process, and of one that has ended on another machine, as far as can be told here.
      `.rooroo/${newTemporaryName("f")}`,
      `.rooroo/${left.replace(/^\.f\.[0-9a-f]{8}/, ".f.01234567")}`,
      ".rooroo/notes.tmp",
      `outside/${left}`,
    ];
    const ofADayAgo = `.rooroo/locks/${left.replace(/^\.f\.[0-9a-f]{8}/, ".f.01234567")}`;
    for (const name of [...kept, `.rooroo/${left}`, ofADayAgo]) {
      await writeFile(path(name), "half");
    }
    await utimes(path(ofADayAgo), dayAgo, dayAgo);
    await files().removeTemporaries(".rooroo");
    for (const name of kept) assert.equal(await readFile(path(name), "utf8"), "half", name);
    for (const name of [`.rooroo/${left}`, ofADayAgo]) {
      await assert.rejects(readFile(path(name)), { code: "ENOENT" });
    }
  });

  it("waits for nobody at the other end of a pipe, and reads no device", async () => {
    await promisify(execFile)("mkfifo", [path("pipe")]);
    await symlink("/dev/zero", path("zero"));
    await assert.rejects(files().readFile("pipe"), { code: "ENOTFILE" });
    await assert.rejects(files().readRange("pipe", 0, 10), { code: "ENOTFILE" });
    await assert.rejects(files().readFile("/dev/zero"), { code: "ENOTFILE" });
    await assert.rejects(files().appendLines("pipe", ["lost"]), { code: "ENXIO" });
    assert.equal((await files().stat("pipe"))?.kind, "other");
    assert.equal((await files().locate("zero")).inside, false);
  });

  it("takes names as they are", async () => {
    for (const name of [
      "a#b",
      "100%25",
      "a b",
      "new\nline",
      "tab\t",
      "bell\u0007",
      "~",
      "ä",
      "a\u0308",
      "-rf",
      "*",
    ]) {
      assert.deepEqual(await files().locate(name), { path: name, inside: true });
      assert.equal(await files().createFile(name, name, { located: true }), true);
      assert.equal(await readFile(path(name), "utf8"), name);
    }
  });

  it("has on disk what it says is written, names included", async () => {
    const base = folder.path;
    const replaced = await synced(() => files().replaceFile("a/b/f", "x"));
    // The temporary file, the folder with its new name, the folders with the new folders' names.
    assert.deepEqual(replaced.slice(0, 2).sort(), [base, `${base}/a`]);
    assert.match(replaced[2] ?? "", /\/a\/b\/\.f\.[0-9a-f]+\.tmp$/);
    assert.equal(replaced[3], `${base}/a/b`);

    const created = await synced(() => files().createFile("f", "x"));
    assert.match(created[0] ?? "", /\/\.f\.[0-9a-f]+\.tmp$/);
    assert.equal(created[1], base);

    const log = `${base}/log`;
    assert.deepEqual(await synced(() => files().appendLines("log", ["1"])), []);
    const durable = () => files().appendLines("log", ["2"], { durable: true });
    assert.deepEqual(await synced(durable), [log]);
    await files().removeFile("log");
    assert.deepEqual(await synced(durable), [log, base]);
    assert.deepEqual(await synced(() => files().removeFile("log")), [base]);
  });

  it("appends beside other processes without tearing lines", async () => {
    const module = join(import.meta.dirname, "../../src/node/files/diskFileSystem.js");
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

  it("appends without reading what is there, however large", async () => {
    await writeFile(path("small"), "");
    await writeFile(path("large"), "");
    await truncate(path("large"), 2 ** 32);
    const end = await open(path("large"), "a");
    await end.write("\n");
    await end.close();
    const cost = async (name: string) => {
      const before = await charactersRead();
      for (let i = 0; i < 100; i++) await files().appendLines(name, [`line ${i}`]);
      return (await charactersRead()) - before;
    };
    await cost("small");
    const [small, large] = [await cost("small"), await cost("large")];
    assert.ok(small < 10_000 && large < 10_000, `small ${small}, large ${large} bytes read`);
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

/** Returns how many characters this whole process has read from files. */
async function charactersRead(): Promise<number> {
  return Number(/rchar: (\d+)/.exec(await readFile("/proc/self/io", "utf8"))?.[1]);
}

/** Returns what is synced to the disk while something is done, in order. */
async function synced(work: () => Promise<unknown>): Promise<string[]> {
  const any = await open("/dev/null");
  const prototype = Object.getPrototypeOf(any) as FileHandle;
  await any.close();
  const original = prototype.sync;
  const paths: string[] = [];
  prototype.sync = function (this: FileHandle) {
    paths.push(readlinkSync(`/proc/self/fd/${this.fd}`));
    return original.call(this);
  };
  try {
    await work();
  } finally {
    prototype.sync = original;
  }
  return paths;
}
