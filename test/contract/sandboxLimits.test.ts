import assert from "node:assert/strict";
import { lstatSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeSandboxed, never, noNetwork, requestOf } from "./sandboxed.js";

const megabyte = 1024 ** 2;

await describeSandboxed("Sandbox: how much a command may use", (world) => {
  it("ends one that starts more and more processes", async () => {
    const { endedBy, limit } = await world.run(
      "f() { for i in 1 2 3; do f & done; sleep 1000; }; f; wait",
      { options: { limits: { processes: 200 } } },
    );
    assert.deepEqual([endedBy, limit], ["limit", "processes (200)"]);
  });

  it("ends one that takes more and more memory", async () => {
    const script = `const all = []; for (;;) all.push(Buffer.alloc(${megabyte}, 1))`;
    const { endedBy, limit, exitCode } = await world.run(
      `"${process.execPath}" -e '${script}'; echo survived; sleep 1000`,
      { options: { limits: { memoryBytes: 300 * megabyte } } },
    );
    assert.deepEqual([endedBy, limit, exitCode], ["limit", "memory (300 MB)", null]);
  });

  it("lets no file become too big", async () => {
    const { endedBy, limit, output } = await world.run("yes > big; echo code $?; exit 1", {
      options: { limits: { fileBytes: 2 * megabyte } },
    });
    assert.deepEqual([endedBy, limit], ["limit", "size of a file (2 MB)"]);
    assert.match(output, /code 153/);
  });

  it("lets its temporary files take no more than they may", async () => {
    const { output } = await world.run("yes > /tmp/big; stat -c %s /tmp/big", {
      options: { limits: { temporaryBytes: megabyte } },
    });
    assert.match(output, /No space left on device\n1048576\n$/);
  });

  it("ends one that fills the disk", async () => {
    const { endedBy, limit } = await world.run(
      "for i in $(seq 100000); do head -c 1000000 /dev/zero > f$i; done",
      { options: { limits: { layerBytes: 20 * megabyte } } },
    );
    assert.deepEqual([endedBy, limit], ["limit", "disk space (20 MB)"]);
  });

  it("counts files with holes, and second names of a file, by their sizes", async () => {
    await writeFile(join(world.root, "old.txt"), "old");
    const { layer } = await world.shell({ limits: { layerBytes: 20 * megabyte } }).run(
      {
        ...requestOf("truncate -s 9M a; ln a b; ln a c; rm old.txt; echo 1 > d"),
        sandbox: noNetwork,
      },
      never,
    );
    assert.deepEqual(layer?.changes, [
      { path: "a", kind: "file", size: 9 * megabyte },
      { path: "b", kind: "file", size: 9 * megabyte },
      { path: "d", kind: "file", size: 2 },
    ]);
    // What is removed may have been moved to where there was no room.
    assert.deepEqual(layer.left, [
      { path: "c", why: "tooMuch" },
      { path: "old.txt", why: "tooMuch" },
    ]);
    await layer.discard();
  });

  it("lets files with holes take no more of the disk than before", async () => {
    await world.runAndApply(
      "truncate -s 50M holes; printf x | dd of=holes bs=1 seek=30000000 conv=notrunc",
    );
    const holes = lstatSync(join(world.root, "holes"));
    assert.equal(holes.size, 50 * megabyte);
    assert.ok(holes.blocks * 512 < megabyte, String(holes.blocks));
    const bytes = readFileSync(join(world.root, "holes"));
    assert.deepEqual([bytes.indexOf("x"), bytes.lastIndexOf("x")], [30_000_000, 30_000_000]);
  });

  it("looks at no more files than it may make", async () => {
    await writeFile(join(world.root, "old.txt"), "old");
    const { layer } = await world.shell({ limits: { layerFiles: 20 } }).run(
      {
        ...requestOf("rm old.txt; for i in $(seq 40); do echo $i > f$i; done"),
        sandbox: noNetwork,
      },
      never,
    );
    assert.ok(layer);
    assert.ok(layer.changes.length <= 20 && layer.changes.every(({ kind }) => kind === "file"));
    assert.deepEqual(layer.left[0], { path: ".", why: "tooMany" });
    await layer.discard();
  });

  it("ends one that prints without end", async () => {
    const { endedBy, limit, output } = await world.run("yes", { outputPath: "output/call.log" });
    assert.deepEqual([endedBy, limit], ["limit", "output (64 MB)"]);
    assert.ok(output.length < 30_000);
  });
});
