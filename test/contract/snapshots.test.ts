import assert from "node:assert/strict";
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Snapshot } from "../../src/core/ports/snapshots.js";
import { DiskSnapshots } from "../../src/node/files/snapshots/diskSnapshots.js";
import { WalkSearch } from "../../src/node/search/walkSearch.js";
import { temporaryFolder } from "./temporaryFolder.js";

const owner = ".rooroo/tasks/T";

describe("snapshots on disk", () => {
  const folder = temporaryFolder();
  const data = temporaryFolder();
  let snapshots: DiskSnapshots;

  beforeEach(async () => {
    await mkdir(at("sub"));
    await write({ "a.txt": "one\n", "sub/b.bin": "\0\xff", "c.sh": "#!/bin/sh\n" });
    snapshots = new DiskSnapshots(folder.path, data.path);
  });
  const files = async (): Promise<string[]> => {
    const query = { path: "", recursive: true, limit: 1000 };
    const { paths } = await new WalkSearch(folder.path).files(query, new AbortController().signal);
    return paths.filter((path) => !path.endsWith("/"));
  };
  const take = async () => snapshots.take(owner, await files());
  const changes = async (snapshot: Snapshot) => snapshot.changes(await files());
  const text = async (snapshot: Snapshot, path: string) =>
    new TextDecoder("latin1").decode(await snapshot.read(path));
  const at = (path: string) => join(folder.path, path);
  const write = async (contents: Readonly<Record<string, string>>): Promise<void> => {
    for (const [path, content] of Object.entries(contents)) {
      await writeFile(at(path), content);
      await chmod(at(path), 0o644);
    }
  };

  /** Makes a file in a later step of the files' clock than the last write of another file. */
  const writeLater = async (path: string, other: string): Promise<void> => {
    const { mtimeNs } = await stat(at(other), { bigint: true });
    for (;;) {
      await writeFile(at(path), path);
      if ((await stat(at(path), { bigint: true })).birthtimeNs > mtimeNs) return;
      await rm(at(path));
    }
  };

  it("tell what was changed, made, removed, renamed and given another mode", async () => {
    const snapshot = await take();
    assert.deepEqual(await changes(snapshot), []);
    // The same size at the same time, as far as the clock of the files tells.
    const { atime, mtime } = await stat(at("a.txt"));
    await writeFile(at("a.txt"), "two\n");
    await utimes(at("a.txt"), atime, mtime);
    await rename(at("sub/b.bin"), at("moved.bin"));
    await chmod(at("c.sh"), 0o755);
    assert.deepEqual(await changes(snapshot), [
      { path: "a.txt", before: { mode: 0o644 } },
      { path: "c.sh", before: { mode: 0o644 } },
      { path: "moved.bin" },
      { path: "sub/b.bin", before: { mode: 0o644 } },
    ]);
    assert.equal(await text(snapshot, "a.txt"), "one\n");
    assert.equal(await text(snapshot, "sub/b.bin"), "\0\xc3\xbf");
    await assert.rejects(snapshot.read("moved.bin"), { code: "ESNAPSHOT" });
  });

  it("take no ignored file for a new one when the rules have changed", async () => {
    await write({ ".gitignore": "secret\n", secret: "mine" });
    const snapshot = await take();
    await writeFile(at(".gitignore"), "");
    await writeLater("new", ".gitignore");
    assert.deepEqual(await changes(snapshot), [
      { path: ".gitignore", before: { mode: 0o644 } },
      { path: "new" },
      { path: "secret", before: { notKept: "ignored" } },
    ]);
  });

  it("keep a content once, also for the next process, and only for who owns the folder", async () => {
    await (await take()).discard();
    const [workspace = ""] = await readdir(data.path);
    const place = join(data.path, workspace, "1");
    const packs = async () => (await readdir(place)).filter((name) => name.endsWith(".pack"));
    assert.equal((await packs()).length, 1);
    const next = new DiskSnapshots(folder.path, data.path);
    await (await next.take(owner, await files())).discard();
    assert.equal((await packs()).length, 1);
    await writeFile(at("a.txt"), "two\n");
    await (await next.take(owner, await files())).discard();
    assert.equal((await packs()).length, 2);
    assert.equal((await stat(place)).mode & 0o077, 0);
    for (const name of await readdir(place)) {
      if (name.endsWith(".pack")) assert.equal((await stat(join(place, name))).mode & 0o077, 0);
    }
    // What cannot be read is kept anew.
    await writeFile(join(place, "latest.json"), "torn");
    const snapshot = await new DiskSnapshots(folder.path, data.path).take(owner, await files());
    assert.equal(await text(snapshot, "a.txt"), "two\n");
  });

  it("are left by a process that has ended, not by one that lives, nor by another task", async () => {
    await take();
    assert.deepEqual(await snapshots.left(owner), []);
    const [workspace = ""] = await readdir(data.path);
    const place = join(data.path, workspace, "1");
    const own = (await readdir(place)).find((name) => /^\d.*\.json$/.test(name)) ?? "";
    await rename(join(place, own), join(place, own.replace(/^\d+\.\w+/, "4194999.1")));
    await rm(at("a.txt"));
    assert.deepEqual(await snapshots.left(".rooroo/tasks/other"), []);
    const [left] = await new DiskSnapshots(folder.path, data.path).left(owner);
    assert.deepEqual(
      (await changes(left!)).map(({ path }) => path),
      ["a.txt"],
    );
    assert.equal(await text(left!, "a.txt"), "one\n");
    await left!.discard();
    await left!.discard();
    assert.deepEqual(await snapshots.left(owner), []);
  });

  it("leave out what is no regular file", async () => {
    await mkdir(at("folder"));
    const snapshot = await snapshots.take(owner, ["folder", "none", "a.txt"]);
    assert.deepEqual(await snapshot.changes(["a.txt", "folder"]), []);
  });
});
