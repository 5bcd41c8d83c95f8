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
const everyOperation = process.env["ROOROO_TEST_EVERY_OPERATION"] !== undefined;
/** On disk, every so many calls fail: in memory, each does. */
const failedEvery = everyOperation ? 1 : 11;
/** Runs at a time: one alone mostly waits for files. */
const sideBySide = 4;

/** Tries what `faultsAt` returns for each call of a run. Returns how many of the faults came. */
async function tryAll(
  faultsAt: (at: number) => readonly Fault[],
  at: <T>(use: (place: Place) => Promise<T>) => Promise<T>,
): Promise<number> {
  const calls = await at(callsOfRun);
  const faults = Array.from({ length: calls }, (_, index) => faultsAt(index + 1)).flat();
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

function inTurn(number: number): Fault["code"] {
  return codes[number % codes.length]!;
}

describe("a disk that fails at any call", () => {
  useMemoryFolder();

  it("[R-ROO-23] is told of in words, and nothing is lost or done twice: files in memory", async () => {
    // Each call fails once, and each with all later ones; with which code they take turns.
    const faults = (at: number): Fault[] => [
      ...(everyOperation ? codes : [inTurn(at)]).map((code) => ({ code, at, stays: false })),
      { code: inTurn(at + 1), at, stays: true },
    ];
    const tried = await tryAll(faults, (use) =>
      use({ files: new MemoryFileSystem(), lock: new MemoryLock(), ids: new RandomIds() }),
    );
    say(`${tried} faults over files in memory`);
  });

  it("[R-ROO-23] is told of in words, and nothing is lost or done twice: files on disk", async () => {
    const faults = (at: number): Fault[] =>
      at % failedEvery === 0 ? [{ code: inTurn(at / failedEvery), at, stays: false }] : [];
    const tried = await tryAll(faults, async (use) => {
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
