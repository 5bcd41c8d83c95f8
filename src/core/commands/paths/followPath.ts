import { FileError } from "../../errors.js";
import type { Location } from "../../ports/files.js";
import type { ReviewedFiles } from "./reviewedFiles.js";

/**
 * Joins a path to a folder, without `.` and `..` where these can be resolved without a look at the
 * disk. Absolute paths stay absolute.
 */
export function joinPath(folder: string, path: string): string {
  const whole = path.startsWith("/") || folder === "" ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return (whole.startsWith("/") ? "/" : "") + parts.join("/");
}

/** The location to which a word of a command leads when a program takes it for a path. */
interface FollowedPath extends Location {
  /** The path without `.` and `..`; links of its last part are not resolved. */
  readonly place: string;
}

/** The most bytes that Linux and macOS take in one name and in one path. */
const longestName = 255;
const longestPath = 4095;

/**
 * Follows a path from a folder as the system does: `..` behind a link goes up from the link's
 * target, not from the link.
 *
 * @returns `undefined` for a word that cannot be a path, such as a commit's long message: no
 *   program can open a file by that name
 * @throws FileError when it cannot be told where the path leads
 */
export async function followPath(
  folder: string,
  path: string,
  files: ReviewedFiles,
): Promise<FollowedPath | undefined> {
  if (path.includes("\0")) return undefined;
  try {
    const place = path.includes("..")
      ? await upThroughLinks(folder, path, files)
      : joinPath(folder, path);
    return { ...(await files.locate(place)), place };
  } catch (error) {
    if (isTooLong(error) && !fitsAsPath(path)) return undefined;
    throw error;
  }
}

/** Returns whether an error says that a name or a path is longer than the system takes. */
export function isTooLong(error: unknown): error is FileError {
  return error instanceof FileError && error.code === "ENAMETOOLONG";
}

async function upThroughLinks(folder: string, path: string, files: ReviewedFiles): Promise<string> {
  let at = path.startsWith("/") ? "/" : folder;
  for (const part of path.split("/")) {
    at = joinPath(part === ".." ? (await files.locate(at)).path : at, part);
  }
  return at;
}

function fitsAsPath(path: string): boolean {
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  return bytes(path) <= longestPath && path.split("/").every((name) => bytes(name) <= longestName);
}

/**
 * Yields the paths below a folder, the nearest first, folders too. If there are more than `most`,
 * yields `undefined` after these and ends.
 */
export async function* folderTree(
  folder: string,
  files: ReviewedFiles,
  most: number,
  enters: (name: string, path: string) => boolean | Promise<boolean>,
): AsyncGenerator<{ path: string; name: string } | undefined> {
  const waiting = [folder];
  let count = 0;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const { name, kind } of await files.readDirectory(next)) {
      if (++count > most) {
        yield undefined;
        return;
      }
      const path = next === "" ? name : `${next}/${name}`;
      yield { path, name };
      if (kind === "folder" && (await enters(name, path))) waiting.push(path);
    }
  }
}
