import { constants, open, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { durableFolder, syncFolder } from "./durableWrite.js";
import { isMissing } from "./realLocation.js";

const newline = 10;
/** Longer than a write takes from one page of the file to the next. */
const writingMs = 5;

/**
 * Adds lines with one write in append mode, so that lines of other processes stay whole beside them.
 * The cost does not depend on the size of the file.
 *
 * @param check rejects where nothing may be written: of the place before a file is made there, then of the open file
 */
export async function appendLines(
  absolute: string,
  lines: readonly string[],
  durable: boolean,
  check: (handle?: FileHandle) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const bad = lines.find((line) => line.includes("\n"));
  if (bad !== undefined) throw new Error(`not one line: ${JSON.stringify(bad)}`);
  if (lines.length === 0) return;
  const handle = await openForAppending(absolute, check);
  let created;
  try {
    // A new one too: a link may have come in between.
    await check(handle);
    const found = await handle.stat();
    // To a pipe or a device they would be lost.
    if (!found.isFile()) throw Object.assign(new Error("not a file"), { code: "ENXIO" });
    const { size } = found;
    created = size === 0;
    const text = lines.map((line) => `${line}\n`).join("");
    const torn = await isTorn(handle, size);
    await writeAll(handle, Buffer.from(torn ? `\n${text}` : text));
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
  if (durable && created) await syncFolder(dirname(absolute));
}

async function openForAppending(absolute: string, check: () => Promise<void>): Promise<FileHandle> {
  try {
    return await open(absolute, constants.O_RDWR | constants.O_APPEND);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await check();
  const make = () => open(absolute, "a+");
  return make().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error;
    await durableFolder(dirname(absolute));
    return make();
  });
}

/** Whether the last line lacks its end; looked at twice, as another process may be writing it now. */
async function isTorn(handle: FileHandle, size: number): Promise<boolean> {
  for (let seen = size; seen > 0;) {
    if ((await lastByte(handle, seen)) === newline) return false;
    await pause(writingMs);
    const now = (await handle.stat()).size;
    if (now === seen) return true;
    seen = now;
  }
  return false;
}

async function lastByte(handle: FileHandle, size: number): Promise<number | undefined> {
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 ? buffer[0] : undefined;
}

async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  let rest = bytes;
  // One call takes all of it, unless the disk is about to be full.
  while (rest.length > 0) rest = rest.subarray((await handle.write(rest)).bytesWritten);
}
