import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { constants, open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { durableFolder } from "./durableWrite.js";
import { isMissing, realLocation } from "./realLocation.js";

/**
 * Does something in a folder that nobody can exchange for a link meanwhile: on Linux the folder is
 * named by an open file, elsewhere what remains is the moment between the look and the work.
 *
 * @param absolute a file's path without links; its folder is made when it is missing
 * @param work gets another name of the file
 * @returns `undefined`, when the path leads elsewhere or is a link by now
 */
export async function inHeldFolder<T>(
  absolute: string,
  work: (path: string) => Promise<T>,
): Promise<T | undefined> {
  // Not even a folder is made elsewhere.
  if ((await realLocation(absolute)) !== absolute) return undefined;
  const folder = dirname(absolute);
  const handle = await openFolder(folder);
  try {
    const held = nameOf(handle, folder);
    if (held === undefined) return undefined;
    const path = join(held, basename(absolute));
    return isLink(path) ? undefined : await work(path);
  } finally {
    await handle?.close();
  }
}

/** `undefined` where folders cannot be opened. */
async function openFolder(folder: string): Promise<FileHandle | undefined> {
  if (process.platform === "win32") {
    await durableFolder(folder);
    return undefined;
  }
  const flags = constants.O_RDONLY | constants.O_DIRECTORY;
  try {
    return await open(folder, flags);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await durableFolder(folder);
    return open(folder, flags);
  }
}

function nameOf(handle: FileHandle | undefined, folder: string): string | undefined {
  if (handle !== undefined) {
    const name = `/proc/self/fd/${handle.fd}`;
    try {
      return readlinkSync(name) === folder ? name : undefined;
    } catch {
      // No such names here.
    }
  }
  return realpathSync.native(folder) === folder ? folder : undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
