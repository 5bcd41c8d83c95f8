import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { realLocation } from "./realLocation.js";

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
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
