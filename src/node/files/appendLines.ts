import { constants, fstatSync, readSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { inFolderOf } from "./directoryHandle.js";

const newline = 10;
/** Milliseconds; longer than a write takes from one page of the file to the next. */
const writingMs = 5;
const appending = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT;

/**
 * Adds lines with one write in append mode, so that lines of other processes stay whole beside them.
 * The cost does not depend on the size of the file. The file and its folder are made where they are
 * missing.
 *
 * @param absolute the file's path, its folder without links
 * @param durable whether to wait for the disk
 * @throws LeadsElsewhere where a part of the path is a link by now; else as the system does
 */
export async function appendLines(
  absolute: string,
  lines: readonly string[],
  durable: boolean,
): Promise<void> {
  const bad = lines.find((line) => line.includes("\n"));
  if (bad !== undefined) throw new Error(`not one line: ${JSON.stringify(bad)}`);
  if (lines.length === 0) return;
  await inFolderOf(absolute, { make: true }, async (folder, name) => {
    const handle = await folder.open(name, appending);
    let created;
    try {
      const found = fstatSync(handle.fd);
      // Lines that are written to a pipe or a device would be lost.
      if (!found.isFile()) throw Object.assign(new Error("not a file"), { code: "ENXIO" });
      // The write would also change the file's other names, and one of these may be protected.
      if (found.nlink > 1) throw Object.assign(new Error("a hard link"), { code: "EMLINK" });
      created = found.size === 0;
      const text = lines.map((line) => `${line}\n`).join("");
      const torn = await isTorn(handle, found.size);
      await writeAll(handle, Buffer.from(torn ? `\n${text}` : text));
      if (durable) await handle.sync();
    } finally {
      await handle.close();
    }
    if (durable && created) await folder.sync();
  });
}

/**
 * Returns whether the last line lacks its end. It is checked twice, because another process may be writing it
 * now.
 */
async function isTorn(handle: FileHandle, size: number): Promise<boolean> {
  for (let seen = size; seen > 0;) {
    if (lastByte(handle, seen) === newline) return false;
    await pause(writingMs);
    const now = fstatSync(handle.fd).size;
    if (now === seen) return true;
    seen = now;
  }
  return false;
}

/**
 * Returns the last byte, synchronously: the end of a file that is being written to is in memory, so
 * that waiting for another thread would only take longer.
 */
function lastByte(handle: FileHandle, size: number): number | undefined {
  const last = Buffer.alloc(1);
  return readSync(handle.fd, last, 0, 1, size - 1) === 1 ? last[0] : undefined;
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let rest = bytes;
  // One call writes everything, unless the disk is about to be full.
  while (rest.length > 0) rest = rest.subarray((await handle.write(rest)).bytesWritten);
}
