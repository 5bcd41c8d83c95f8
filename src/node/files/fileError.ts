import { FileError } from "../../core/errors.js";

type Words = (path: string, doing: string) => string;

const sentences: Readonly<Record<string, Words>> = {
  EACCES: (path, doing) =>
    `No permission to ${doing} ${path}. Change its permissions or owner, then try again.`,
  EPERM: (path, doing) =>
    `The system does not allow to ${doing} ${path}. Check its permissions and who has it open, then try again.`,
  EROFS: (path, doing) => `Could not ${doing} ${path}: the disk is read-only. Use another folder.`,
  ENOSPC: (path, doing) =>
    `Could not ${doing} ${path}: the disk is full. Free some space, then try again.`,
  EDQUOT: (path, doing) =>
    `Could not ${doing} ${path}: your disk quota is used up. Free some space, then try again.`,
  EISDIR: (path) => `${path} is a folder, not a file. Name a file.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder. Name another path.`,
  ELOOP: (path) => `${path} is a link that leads to itself. Remove the link.`,
  ENAMETOOLONG: (path) => `The name ${path} is too long. Use a shorter one.`,
  EMFILE: (path, doing) =>
    `Could not ${doing} ${path}: too many files are open. Close some programs, then try again.`,
  ENFILE: (path, doing) =>
    `Could not ${doing} ${path}: too many files are open. Close some programs, then try again.`,
  EBUSY: (path, doing) =>
    `Could not ${doing} ${path}: another program has it open. Close it there, then try again.`,
  EMLINK: (path) =>
    `${path} has a second name (a hard link), and what is added to it would change that file, too. Put a copy in its place, then try again.`,
  ENXIO: (path) => `${path} is a device or a pipe, not a file. Name a file.`,
  ETXTBSY: (path, doing) => `Could not ${doing} ${path}: it is running. Stop it, then try again.`,
  EIO: (path, doing) => `Could not ${doing} ${path}: the disk reports an error. Check the disk.`,
  ENOENT: (path, doing) =>
    `Could not ${doing} ${path}: its folder is not there or was just removed. Try again.`,
};

/**
 * Turns a system error into a `FileError` with a message for people; returns any other error as it is.
 *
 * @param doing a verb, as in `read`
 */
export function fileError(error: unknown, path: string, doing: string): unknown {
  const code = errorCode(error);
  if (error instanceof FileError || code === undefined) return error;
  const shown = path === "" ? "the workspace" : path;
  if (error instanceof LeadsElsewhere) return new FileError(code, path, linked(shown, error.link));
  const words = sentences[code];
  const message = words
    ? words(shown, doing)
    : `Could not ${doing} ${shown} (${code}). Check the file and its folder, then try again.`;
  return new FileError(code, path, message);
}

function linked(path: string, link: string | undefined): string {
  return link === undefined
    ? `${path} was not changed: a folder on the way to it was exchanged meanwhile. Try again.`
    : `${path} was not changed, because ${link} is a link, and nothing is written through links. Put the real file or folder in its place, then try again.`;
}

/** Returns the system's error code, as in `ENOENT`; `undefined` if the error has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/**
 * Thrown instead of writing when the path of a file goes through a link. The code is the one that
 * `FileError`s of this kind carry.
 */
export class LeadsElsewhere extends Error {
  readonly code = "ELEADSOUT";

  /** @param link absolute; `undefined` if a folder was exchanged and there is no link any more */
  constructor(readonly link: string | undefined) {
    super(
      link === undefined
        ? "a folder on the way was exchanged meanwhile"
        : `${link} is a link, and nothing is written through links`,
    );
  }
}
