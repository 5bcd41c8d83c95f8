import assert from "node:assert/strict";
import { describeSandboxed } from "./sandboxed.js";

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

  it("ends one that prints without end", async () => {
    const { endedBy, limit, output } = await world.run("yes", { outputPath: "output/call.log" });
    assert.deepEqual([endedBy, limit], ["limit", "output (64 MB)"]);
    assert.ok(output.length < 30_000);
  });
});
