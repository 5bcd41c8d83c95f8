import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";

/**
 * Temporary folders of the tests around are in memory, where the system has such a place: what a
 * killed process has written is there whether or not a disk has it, and syncing costs nothing.
 */
export function useMemoryFolder(): void {
  const usual = process.env["TMPDIR"];
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(existsSync(memory) ? memory : tmpdir(), "rooroo-durability-"));
    process.env["TMPDIR"] = folder;
  });
  after(async () => {
    if (usual === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = usual;
    await rm(folder, { recursive: true, force: true });
  });
}
