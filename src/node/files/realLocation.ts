import { lstat, readlink, realpath } from "node:fs/promises";
import {
  basename,
  dirname,
  isAbsolute,
  join,
  normalize,
  parse,
  relative,
  resolve,
  sep,
} from "node:path";
import { errorCode } from "./fileError.js";

const maxLinks = 40;

/**
 * Resolves an absolute path to where it really leads, with links resolved as the system does it. The
 * end of the path, or of a link in it, need not exist yet.
 */
export async function realLocation(absolute: string): Promise<string> {
  try {
    return await realpath(absolute);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const yetToBe = await inRealFolder(absolute);
  if (yetToBe !== undefined) return yetToBe;
  let current = parse(absolute).root;
  const pending = partsOf(absolute);
  let links = 0;
  for (let part = pending.shift(); part !== undefined; part = pending.shift()) {
    if (part === "..") {
      current = dirname(current);
      continue;
    }
    const next = join(current, part);
    const target = await linkTarget(next);
    if (target === undefined) {
      current = next;
      continue;
    }
    if (++links > maxLinks) {
      throw Object.assign(new Error("too many links"), { code: "ELOOP" });
    }
    const { root } = parse(target);
    if (root !== "") current = root;
    pending.unshift(...partsOf(target));
  }
  return current;
}

/**
 * Handles the usual case: there is no file and no link of that name in the folder. `undefined` in all other cases.
 */
async function inRealFolder(absolute: string): Promise<string | undefined> {
  try {
    await lstat(absolute);
    return undefined;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return undefined;
  }
  const folder = dirname(absolute);
  return folder === absolute ? undefined : join(await realLocation(folder), basename(absolute));
}

/** Returns whether the error says that a file does not exist, which is an ordinary answer for most callers. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function partsOf(path: string): string[] {
  return path
    .slice(parse(path).root.length)
    .split(sep === "/" ? "/" : /[\\/]/)
    .filter((part) => part !== "" && part !== ".");
}

/**
 * Returns the place to which a path is written. In the workspace no part of it may be a link, because a
 * workspace may bring links along: the place is returned as if there were none, so that a write there
 * fails where there is one. For a place outside, links in the path of its folder are followed, because
 * it was named on purpose.
 *
 * @param root the workspace folder's absolute path, which may be a link itself
 * @param path absolute, or relative to the workspace
 * @param realRoot the workspace folder's path without links, where that is known already
 */
export async function workspacePlace(
  root: string,
  path: string,
  realRoot?: string,
): Promise<string> {
  const absolute = resolve(root, path);
  const within = isAbsolute(path) ? undefined : wayInside(root, absolute);
  if (within !== undefined) return resolve(realRoot ?? (await realpath(root)), within);
  return resolve(await realLocation(dirname(absolute)), basename(absolute));
}

/**
 * Returns the relative path from a folder to a path in it; `undefined` for a path that is not in it.
 * Links are not resolved: neither path may contain any.
 */
export function wayInside(folder: string, path: string): string | undefined {
  // The usual case, in a fraction of the time that `relative` takes.
  const isPlain = normalize(path) === path && !path.endsWith(sep);
  if (isPlain && path.startsWith(folder + sep)) return path.slice(folder.length + 1);
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
