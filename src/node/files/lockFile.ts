import { constants, fstatSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import * as z from "zod/mini";
import { parseJson } from "../../core/documents/parseJson.js";
import type { DirectoryHandle } from "./directoryHandle.js";
import { errorCode } from "./fileError.js";
import { isMissing } from "./realLocation.js";
import { newTemporaryName } from "./temporaryFiles.js";

/** The most bytes that are read; a lock file has some hundreds. */
const largest = 100_000;

const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

const content = z.object({
  pid: z.number(),
  host: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  processStart: z.string(),
  label: z.string(),
  since: z.string(),
  /**
   * A unique id, so that a lock is never mistaken for a later one in the same place; it names a file,
   * too.
   */
  token: z.string().check(z.regex(/^[\w-]{1,64}$/)),
});
export type LockContent = z.infer<typeof content>;

/** A lock file as it was found. */
export interface FoundLock {
  /** The holder's data; `undefined` if this program did not write the file. */
  readonly content: LockContent | undefined;
  readonly token: string;
  /** The time of the holder's last refresh, in milliseconds since the epoch by the file system's clock. */
  readonly modifiedAt: number;
  /** Milliseconds since `modifiedAt`. */
  readonly idleMs: number;
}

/** Makes the lock file, complete from its first moment. Resolves with `false` if there is one already. */
export async function claim(
  folder: DirectoryHandle,
  name: string,
  mine: LockContent,
): Promise<boolean> {
  const temp = newTemporaryName(name);
  const handle = await folder.open(temp, exclusively);
  try {
    try {
      await handle.writeFile(`${JSON.stringify(mine)}\n`);
    } finally {
      await handle.close();
    }
    await folder.link(temp, name);
    return true;
  } catch (error) {
    // A network file system may have made the link although its answer was lost.
    if (folder.look(temp)?.nlink === 2) return true;
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await folder.remove(temp);
  }
}

/** Reads the lock file; `undefined` if there is none. */
export async function find(folder: DirectoryHandle, name: string): Promise<FoundLock | undefined> {
  let handle;
  try {
    handle = await folder.open(name, constants.O_RDONLY);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const seen = folder.look(name);
    if (seen?.isSymbolicLink() !== true) throw error;
    return foundLock(undefined, seen.mtimeMs);
  }
  try {
    // Synchronous: the system knows this of an open file without asking the disk.
    const found = fstatSync(handle.fd);
    const isRead = found.isFile() && found.size <= largest;
    return foundLock(isRead ? await read(handle, found.size) : undefined, found.mtimeMs);
  } finally {
    await handle.close();
  }
}

/** Removes the lock file if it still has this token. Only a process that may remove it may call this. */
export async function remove(folder: DirectoryHandle, name: string, token: string): Promise<void> {
  if ((await find(folder, name))?.token !== token) return;
  await folder.remove(name).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}

/** Reads an open file by one call: every step of a task waits for this, and `readFile` makes three. */
async function read(handle: FileHandle, size: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
  return buffer.toString("utf8", 0, bytesRead);
}

function foundLock(text: string | undefined, modifiedAt: number): FoundLock {
  const json = parseJson(text ?? "");
  const read = content.safeParse(json.ok ? json.value : undefined);
  return {
    content: read.data,
    token: read.data?.token ?? "unreadable",
    modifiedAt,
    idleMs: Date.now() - modifiedAt,
  };
}
