import { FileError } from "../errors.js";
import type { FileStat, FileSystem } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import { checkNotIgnored, type IgnoreSource } from "./ignoredFiles.js";
import type { LocatedPath } from "./locatedPath.js";

/**
 * The files that agents may reach; every access to an ignored file throws a {@link FileError}. A
 * {@link LocatedPath} is not located again: a file is read only if the path leads nowhere else by now,
 * and written only where no link has come in between.
 */
export interface AgentFiles extends FileSystem {
  /** Returns what a path leads to now; `undefined` when there is nothing. */
  stat(path: string | LocatedPath): Promise<FileStat | undefined>;
  /**
   * Reads a whole file; `undefined` when there is no such file.
   *
   * @throws a {@link FileError} when a located path leads elsewhere by now
   */
  readFile(path: string | LocatedPath): Promise<Uint8Array | undefined>;
  /** Replaces a located file if it has the expected content, as {@link FileSystem.replaceFile} does. */
  replaceLocated(path: LocatedPath, content: Uint8Array, expected: Uint8Array): Promise<boolean>;
  /** Creates a located file, as {@link FileSystem.createFile} does. */
  createLocated(path: LocatedPath, content: Uint8Array): Promise<boolean>;
}

/** Returns the workspace's files as agents may reach them, whichever tool asks. */
export function agentFiles(files: FileSystem, hidden: IgnoreSource): AgentFiles {
  const checked = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    checkNotIgnored((await files.locate(path)).path, await hidden.read());
    return work();
  };
  return {
    absolute: (path) => files.absolute(path),
    locate: (path) => files.locate(path),
    readFile: (path) =>
      typeof path === "string"
        ? checked(path, () => files.readFile(path))
        : readLocated(path, files),
    readLocated: (path, most) => checked(path, () => files.readLocated(path, most)),
    readRange: (path, start, end) => checked(path, () => files.readRange(path, start, end)),
    stat: async (path) =>
      typeof path === "string"
        ? checked(path, () => files.stat(path))
        : files.stat(reachable(path)),
    readDirectory: async (path) => {
      const isHidden = await hidden.read();
      const folder = (await files.locate(path)).path;
      checkNotIgnored(folder, isHidden);
      const entries = await files.readDirectory(path);
      return entries.filter(
        ({ name }) => isHidden(folder === "" ? name : `${folder}/${name}`) === undefined,
      );
    },
    replaceFile: (path, content, options) =>
      checked(path, () => files.replaceFile(path, content, options)),
    replaceLocated: async (path, content, expected) =>
      files.replaceFile(reachable(path), content, { expected, located: true }),
    createFile: (path, content, options) =>
      checked(path, () => files.createFile(path, content, options)),
    createLocated: async (path, content) =>
      files.createFile(reachable(path), content, { located: true }),
    appendLines: (path, lines, options) =>
      checked(path, () => files.appendLines(path, lines, options)),
    setMode: (path, mode) => checked(path, () => files.setMode(path, mode)),
    removeFile: (path) => checked(path, () => files.removeFile(path)),
    removeTemporaries: (folder, options) =>
      checked(folder, () => files.removeTemporaries(folder, options)),
  };
}

/** Returns the canonical path; throws a {@link FileError} if the file is ignored. */
function reachable({ path, ignored }: LocatedPath): string {
  checkNotIgnored(path, () => ignored);
  return path;
}

async function readLocated(path: LocatedPath, files: FileSystem): Promise<Uint8Array | undefined> {
  const found = await files.readLocated(reachable(path), Infinity);
  if (found === undefined || found.location.path === path.path) return found?.bytes;
  throw new FileError(
    "ELEADSOUT",
    path.path,
    "{path} now leads to {target}, so it was not read. Try again.",
    { path: path.path, target: found.location.path },
  );
}

/** Returns a search that leaves out ignored files: they are neither searched nor named. */
export function agentSearch(search: Search, hidden: IgnoreSource): Search {
  const without = async <Query extends { hides?: (path: string) => boolean }>(query: Query) => {
    const isHidden = await hidden.read();
    const hides = (path: string) => isHidden(path) !== undefined || query.hides?.(path) === true;
    return { ...query, hides };
  };
  return {
    matches: async (query, signal) => search.matches(await without(query), signal),
    files: async (query, signal) => search.files(await without(query), signal),
    ignored: (paths) => search.ignored(paths),
  };
}
