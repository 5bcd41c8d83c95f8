import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { errorCode } from "../files/fileError.js";

/**
 * Copies files and folders from one checkout into another, sharing their blocks on disk where the file system can.
 * A file that is there already stays, unless `replace` is set. Links are kept only if they lead to a place in their
 * own checkout, from where they are: any other would let who works in the copy write to the original. Other kinds of
 * files are left out.
 *
 * @param paths relative to both checkouts
 * @returns the number of copied files
 */
export async function copyBeside(
  paths: readonly string[],
  { from, to, replace = false }: { from: string; to: string; replace?: boolean },
): Promise<number> {
  let copied = 0;
  for (const path of paths) copied += await copyOne(path, { from, to, replace });
  return copied;
}

async function copyOne(
  path: string,
  places: { from: string; to: string; replace: boolean },
): Promise<number> {
  const [source, target] = [join(places.from, path), join(places.to, path)];
  const found = await orNothing(lstat(source));
  if (found === undefined) return 0;
  if (found.isDirectory()) {
    let copied = 0;
    for (const name of await readdir(source)) {
      // Another repository's worktrees and settings are its own.
      if (name.toLowerCase() === ".git") continue;
      copied += await copyOne(join(path, name), places);
    }
    return copied;
  }
  if (!found.isFile() && !found.isSymbolicLink()) return 0;
  await mkdir(dirname(target), { recursive: true });
  if (places.replace) await rm(target, { force: true });
  if (found.isSymbolicLink()) return copyLink(source, target, places.from);
  const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
  return (await orThere(copyFile(source, target, mode))) ? 1 : 0;
}

async function copyLink(source: string, target: string, from: string): Promise<number> {
  const leadsTo = await readlink(source);
  const way = relative(from, resolve(dirname(source), leadsTo));
  const isInside = way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  if (isAbsolute(leadsTo) || !isInside) return 0;
  return (await orThere(symlink(leadsTo, target))) ? 1 : 0;
}

async function orThere(made: Promise<void>): Promise<boolean> {
  try {
    await made;
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

async function orNothing<T>(found: Promise<T>): Promise<T | undefined> {
  return found.catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error) ?? "")) return undefined;
    throw error;
  });
}
