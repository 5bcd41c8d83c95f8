import type { FileSystem, Search } from "../ports.js";
import { checkVisible, type Hidden } from "./ignoredFiles.js";

/** Returns the workspace as experts see it: hidden paths are refused, whichever tool asks. */
export function visibleFiles(files: FileSystem, hidden: Hidden): FileSystem {
  const checked = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    checkVisible((await files.locate(path)).path, await hidden.read());
    return work();
  };
  return {
    absolute: (path) => files.absolute(path),
    locate: (path) => files.locate(path),
    readFile: (path) => checked(path, () => files.readFile(path)),
    readLocated: (path, most) => checked(path, () => files.readLocated(path, most)),
    readRange: (path, start, end) => checked(path, () => files.readRange(path, start, end)),
    stat: (path) => checked(path, () => files.stat(path)),
    readDirectory: async (path) => {
      const isHidden = await hidden.read();
      const folder = (await files.locate(path)).path;
      const entries = await checked(path, () => files.readDirectory(path));
      return entries.filter(
        ({ name }) => isHidden(folder === "" ? name : `${folder}/${name}`) === undefined,
      );
    },
    replaceFile: (path, content, options) =>
      checked(path, () => files.replaceFile(path, content, options)),
    createFile: (path, content, options) =>
      checked(path, () => files.createFile(path, content, options)),
    appendLines: (path, lines, options) =>
      checked(path, () => files.appendLines(path, lines, options)),
    setMode: (path, mode) => checked(path, () => files.setMode(path, mode)),
    removeFile: (path) => checked(path, () => files.removeFile(path)),
    removeTemporaries: (folder) => checked(folder, () => files.removeTemporaries(folder)),
  };
}

/**
 * Returns a search that, like {@link visibleFiles}, leaves out hidden files: they are neither
 * searched nor named.
 */
export function visibleSearch(search: Search, hidden: Hidden): Search {
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
