import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { RandomIds } from "../../src/node/randomIds.js";
import { MemoryFileSystem } from "../fakes/memoryFileSystem.js";
import { MemoryLock } from "../fakes/memoryLock.js";
import type { Fault } from "./faultyFiles.js";
import { callsOfRun, faultyRun, type Place } from "./faultyRun.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

const codes = ["EIO", "ENOSPC", "EMFILE"] as const;
/** Runs at a time: one alone mostly waits for files. */
const sideBySide = 4;

interface Kinds {
  /** Which of the codes a call fails with. */
  readonly codes: (at: number) => readonly Fault["code"][];
  /** Whether all later calls fail, too. */
  readonly stays: readonly boolean[];
}

/** Returns all faults of these kinds that a run of so many calls can have. */
function faultsOf(calls: number, { codes, stays }: Kinds): Fault[] {
  return Array.from({ length: calls }, (_, index) => index + 1).flatMap((at) =>
    codes(at).flatMap((code) => stays.map((one) => ({ code, at, stays: one }))),
  );
}

async function tryAll(
  kinds: Kinds,
  at: <T>(use: (place: Place) => Promise<T>) => Promise<T>,
): Promise<number> {
  const faults = faultsOf(await at(callsOfRun), kinds);
  const failures: string[] = [];
  let came = 0;
  const left = faults.values();
  const tryRest = async (): Promise<void> => {
    for (const fault of left) {
      try {
        if (await at((place) => faultyRun(place, fault))) came++;
      } catch (error) {
        failures.push(`${JSON.stringify(fault)}: ${String(error)}`);
      }
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, tryRest));
  assert.equal(
    failures.length,
    0,
    `${failures.length} of ${faults.length}\n${failures.slice(0, 5).join("\n\n")}`,
  );
  return came;
}

describe("a disk that fails at any call", () => {
  useMemoryFolder();

  it("[R-ROO-23] is told of in words, and nothing is lost or done twice: files in memory", async () => {
    const all = { codes: () => codes, stays: [false, true] };
    const tried = await tryAll(all, (use) =>
      use({ files: new MemoryFileSystem(), lock: new MemoryLock(), ids: new RandomIds() }),
    );
    say(`${tried} faults over files in memory`);
  });

  it("[R-ROO-23] is told of in words, and nothing is lost or done twice: files on disk", async () => {
    // What each code comes to is seen in memory; here one call after the other fails with the next.
    const inTurn = { codes: (at: number) => [codes[at % codes.length]!], stays: [false] };
    const tried = await tryAll(inTurn, async (use) => {
      const root = await mkdtemp(join(tmpdir(), "rooroo-faults-"));
      try {
        const files = new DiskFileSystem(root);
        return await use({ files, lock: new FileLock(root, "test"), ids: new RandomIds() });
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    });
    say(`${tried} faults over files on disk`);
  });
});
