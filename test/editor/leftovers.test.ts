import { strict as assert } from "node:assert";
import { readFile, readdir, readlink } from "node:fs/promises";
import { pid, platform } from "node:process";

describe("after all that", () => {
  // Elsewhere, nothing tells a process its own ports.
  if (platform !== "linux") return;

  it("nothing of ours listens on a port", async () => {
    // The model's server of the tests is stopped by now; the extension itself must never listen.
    const names = await readdir(`/proc/${pid}/fd`);
    const links = await Promise.all(
      names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")),
    );
    const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
    const tables = await Promise.all([
      readFile("/proc/net/tcp", "utf8"),
      readFile("/proc/net/tcp6", "utf8").catch(() => ""),
    ]);
    const listening = tables
      .flatMap((table) => table.split("\n").slice(1))
      .map((row) => row.trim().split(/\s+/))
      .filter((row) => row[3] === "0A" && own.has(row[9] ?? ""));
    assert.deepEqual(listening, []);
  });
});
