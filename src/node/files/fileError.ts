import { FileError } from "../../core/errors.js";

/**
 * Turns a system error into a `FileError` with a message for people; returns any other error as it is.
 *
 * @param doing a verb, as in `read`
 */
export function fileError(error: unknown, path: string, doing: string): unknown {
  const code = errorCode(error);
  if (error instanceof FileError || code === undefined) return error;
  const shown = path === "" ? "the workspace" : path;
  if (error instanceof LeadsElsewhere) {
    return error.link === undefined
      ? new FileError(
          code,
          path,
          "{path} was not changed: a folder on the way to it was replaced meanwhile. Try again.",
          { path: shown },
        )
      : new FileError(
          code,
          path,
          "{path} was not changed, because {link} is a link, and nothing is written through links. Put the real file or folder in its place, then try again.",
          { path: shown, link: error.link },
        );
  }
  switch (code) {
    case "EACCES":
      return new FileError(
        code,
        path,
        "No permission to {doing} {path}. Change its permissions or owner, then try again.",
        { doing, path: shown },
      );
    case "EPERM":
      return new FileError(
        code,
        path,
        "The system does not allow to {doing} {path}. Check its permissions and who has it open, then try again.",
        { doing, path: shown },
      );
    case "EROFS":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: the disk is read-only. Use another folder.",
        { doing, path: shown },
      );
    case "ENOSPC":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: the disk is full. Free some space, then try again.",
        { doing, path: shown },
      );
    case "EDQUOT":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: your disk quota is used up. Free some space, then try again.",
        { doing, path: shown },
      );
    case "EISDIR":
      return new FileError(code, path, "{path} is a folder, not a file. Name a file.", {
        path: shown,
      });
    case "ENOTDIR":
      return new FileError(
        code,
        path,
        "A part of {path} is a file, not a folder. Name another path.",
        { path: shown },
      );
    case "ELOOP":
      return new FileError(code, path, "{path} is a link that leads to itself. Remove the link.", {
        path: shown,
      });
    case "ENAMETOOLONG":
      return new FileError(code, path, "The name {path} is too long. Use a shorter one.", {
        path: shown,
      });
    case "EMFILE":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: too many files are open. Close some programs, then try again.",
        { doing, path: shown },
      );
    case "ENFILE":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: too many files are open. Close some programs, then try again.",
        { doing, path: shown },
      );
    case "EBUSY":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: another program has it open. Close it there, then try again.",
        { doing, path: shown },
      );
    case "EMLINK":
      return new FileError(
        code,
        path,
        "{path} has a second name (a hard link), and what is added to it would change that file, too. Put a copy in its place, then try again.",
        { path: shown },
      );
    case "ENXIO":
      return new FileError(code, path, "{path} is a device or a pipe, not a file. Name a file.", {
        path: shown,
      });
    case "ETXTBSY":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: it is running. Stop it, then try again.",
        { doing, path: shown },
      );
    case "EIO":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: the disk reports an error. Check the disk.",
        { doing, path: shown },
      );
    case "ENOENT":
      return new FileError(
        code,
        path,
        "Could not {doing} {path}: its folder is not there or was just removed. Try again.",
        { doing, path: shown },
      );
    default:
      return new FileError(
        code,
        path,
        "Could not {doing} {path} ({code}). Check the file and its folder, then try again.",
        { doing, path: shown, code },
      );
  }
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
