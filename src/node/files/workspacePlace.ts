import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { realLocation } from "../realLocation.js";

/**
 * Where a path is written to. In the workspace nothing on the way may be a link, because links are
 * what a workspace may bring along: the place is told as if there were none, so that a write there
 * fails where there is one. The folder of a place outside is meant by whoever names it.
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
 * The way from a folder to a path in it, `undefined` for a path that is not in it. Links are not looked
 * at: both are to be without.
 */
export function wayInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}
