import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DirectoryHandle } from "../files/directoryHandle.js";
import { copyBetween, linkTarget, namesIn } from "../files/directoryTree.js";
import { errorCode, LeadsElsewhere } from "../files/fileError.js";
import { takesTurns } from "../files/takesTurns.js";

interface Places {
  readonly from: string;
  readonly to: string;
  readonly replace: boolean;
}

/**
 * Copies files and folders from one checkout into another, sharing their blocks on disk where the file system can.
 * A file that is there already stays, unless `replace` is set. Links are kept only if they lead to a place in their
 * own checkout, from where they are: any other would let who works in the copy write to the original. No link is
 * followed, also none that comes in between meanwhile; other kinds of files are left out.
 *
 * @param paths relative to both checkouts, which exist
 * @returns the number of copied files
 */
export async function copyBeside(
  paths: readonly string[],
  { from, to, replace = false }: { from: string; to: string; replace?: boolean },
): Promise<number> {
  const places = { from: realpathSync.native(from), to: realpathSync.native(to), replace };
  const turn = takesTurns();
  let copied = 0;
  const one = async (source: DirectoryHandle, folder: string, name: string): Promise<void> => {
    await turn();
    const path = join(folder, name);
    const found = source.look(name);
    if (found?.isDirectory() === true) {
      await inFolder(join(places.from, path), async (inner) => {
        // Another repository's worktrees and settings are its own.
        const names = namesIn(inner).filter((each) => each.toLowerCase() !== ".git");
        for (const each of names) await one(inner, path, each);
      });
    } else if (found?.isFile() === true || found?.isSymbolicLink() === true) {
      const target = openOrMake(places.to, folder);
      try {
        if (await copyInto(target, source, path, places)) copied++;
      } finally {
        target.close();
      }
    }
  };
  for (const path of paths) {
    const folder = join(".", dirname(path));
    await inFolder(join(places.from, folder), (source) => one(source, folder, basename(path)));
  }
  return copied;
}

/** Does something in a folder; nothing if there is no such folder, or a link is in its place. */
async function inFolder(
  folder: string,
  work: (held: DirectoryHandle) => Promise<void>,
): Promise<void> {
  let held: DirectoryHandle;
  try {
    held = DirectoryHandle.open(folder);
  } catch (error) {
    if (error instanceof LeadsElsewhere) return;
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return;
    throw error;
  }
  try {
    await work(held);
  } finally {
    held.close();
  }
}

/** Holds a folder below another, which exists. Folders are made where they are missing. */
export function openOrMake(top: string, folder: string): DirectoryHandle {
  const absolute = resolve(top, folder);
  try {
    return DirectoryHandle.open(absolute);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || absolute === top) throw error;
  }
  const parent = openOrMake(top, dirname(folder));
  try {
    parent.makeFolderNow(basename(folder));
  } finally {
    parent.close();
  }
  return DirectoryHandle.open(absolute);
}

/** Returns whether the file or link was copied. */
async function copyInto(
  target: DirectoryHandle,
  source: DirectoryHandle,
  path: string,
  { from, replace }: Places,
): Promise<boolean> {
  const name = basename(path);
  if (replace && target.look(name) !== undefined) target.removeNow(name);
  try {
    if (source.look(name)?.isSymbolicLink() !== true)
      return await copyBetween(source, target, name);
    const leadsTo = linkTarget(source, name);
    const way = relative(from, resolve(from, dirname(path), leadsTo));
    const isInside = way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
    if (isAbsolute(leadsTo) || !isInside) return false;
    target.makeLinkNow(name, leadsTo);
    return true;
  } catch (error) {
    // It is there already, or was replaced meanwhile.
    if (["EEXIST", "ENOENT", "EINVAL"].includes(errorCode(error) ?? "")) return false;
    if (error instanceof LeadsElsewhere) return false;
    throw error;
  }
}
