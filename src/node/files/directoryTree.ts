import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { DirectoryHandle } from "./directoryHandle.js";
import { LeadsElsewhere } from "./fileError.js";
import { takesTurns } from "./takesTurns.js";

/** Windows has none of these flags. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants as Partial<typeof constants>;

/** A copy shares its blocks with the original where the file system can do that. */
const copying = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;

/** Returns the names of all that is in a folder. */
export function namesIn({ way }: DirectoryHandle): string[] {
  return readdirSync(way);
}

/** Returns where a link in a folder leads, as it says. */
export function linkTarget({ way }: DirectoryHandle, name: string): string {
  return readlinkSync(join(way, name));
}

/**
 * Copies a regular file of one folder, with its permission bits, to the same name in another. What is copied is the
 * open file, so that no link can be followed. Rejects with `EEXIST` where something has that name.
 *
 * @returns `false`: it is no regular file
 * @throws LeadsElsewhere for a link
 */
export async function copyBetween(
  source: DirectoryHandle,
  target: DirectoryHandle,
  name: string,
): Promise<boolean> {
  const file = await source.open(name, constants.O_RDONLY);
  try {
    const opened = await file.stat();
    if (!opened.isFile()) return false;
    const isNamed = source.way !== source.folder;
    const from = isNamed ? `/proc/self/fd/${file.fd}` : join(source.way, name);
    await copyFile(from, join(target.way, name), copying);
    // Elsewhere the file is copied by its path, which may lead to another by now.
    const now = source.look(name);
    if (isNamed || (now?.ino === opened.ino && now.dev === opened.dev)) return true;
    target.removeNow(name);
    throw new LeadsElsewhere(join(source.folder, name));
  } finally {
    await file.close();
  }
}

/** Folders that are held open one in another, at most. */
const mostOpen = 100;

/**
 * Removes a file, a link, or a folder with all that is in it, whether that may be written or not, however names
 * are encoded and however deep it is. No link is followed. Nothing happens if there is nothing of that name.
 */
export async function removeAll({ way }: DirectoryHandle, name: string): Promise<void> {
  const path = Buffer.from(join(way, name));
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) unlinkSync(path);
  // Each time, what is too deep has come to lie higher.
  else while (await removeFolder(path, { turn: takesTurns(), depth: 0 }));
}

interface Removal {
  readonly turn: () => Promise<void>;
  readonly depth: number;
  /** The folder that is removed as a whole; absent at the beginning. */
  readonly top?: Buffer;
}

/** Returns whether something of the folder was too deep, and was moved to the top, which is there for that reason. */
async function removeFolder(path: Buffer, { turn, depth, top }: Removal): Promise<boolean> {
  const { mode } = lstatSync(path);
  if ((mode & 0o700) !== 0o700) chmodSync(path, 0o700);
  if (depth > mostOpen && top !== undefined) {
    renameSync(path, inside(top, Buffer.from(`deep-${randomBytes(16).toString("hex")}`)));
    return true;
  }
  const file =
    process.platform === "linux"
      ? openSync(path, constants.O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      : undefined;
  let hasMoved = false;
  try {
    const way = file === undefined ? path : Buffer.from(`/proc/self/fd/${file}`);
    const deeper = { turn, depth: depth + 1, top: top ?? way };
    for (const entry of readdirSync(way, { encoding: "buffer", withFileTypes: true })) {
      await turn();
      const one = inside(way, entry.name);
      if (!entry.isDirectory()) unlinkSync(one);
      else if (await removeFolder(one, deeper)) hasMoved = true;
    }
  } finally {
    if (file !== undefined) closeSync(file);
  }
  if (depth > 0 || !hasMoved) rmdirSync(path);
  return hasMoved;
}

function inside(folder: Buffer, name: Buffer): Buffer {
  return Buffer.concat([folder, Buffer.from("/"), name]);
}
