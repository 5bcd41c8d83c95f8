import type { FileSystem } from "../ports/files.js";

/**
 * Returns the files of a checkout in which tasks work instead of the user's folder. What is in `.rooroo` and
 * `.jixo`, and the rules in `.rooignore`, are those of the user's folder; only the earlier versions of files that the tasks change are
 * kept with the checkout, because they are of it alone.
 *
 * @param checkout the checkout's files
 * @param main the user's folder
 */
export function worktreeFiles(checkout: FileSystem, main: FileSystem): FileSystem {
  const of = (path: string): FileSystem => (isOfMain(path) ? main : checkout);
  return {
    absolute: (path) => of(path).absolute(path),
    locate: (path) => of(path).locate(path),
    readFile: (path) => of(path).readFile(path),
    readLocated: (path, most) => of(path).readLocated(path, most),
    readRange: (path, start, end) => of(path).readRange(path, start, end),
    stat: (path) => of(path).stat(path),
    readDirectory: (path) => of(path).readDirectory(path),
    replaceFile: (path, content, options) => of(path).replaceFile(path, content, options),
    createFile: (path, content, options) => of(path).createFile(path, content, options),
    appendLines: (path, lines, options) => of(path).appendLines(path, lines, options),
    removeFile: (path) => of(path).removeFile(path),
    setMode: (path, mode) => of(path).setMode(path, mode),
    removeTemporaries: (folder, options) => of(folder).removeTemporaries(folder, options),
  };
}

function isOfMain(path: string): boolean {
  if (/^\.(rooignore|rooroo|jixo)$/.test(path) || path.startsWith(".jixo/")) return true;
  return path.startsWith(".rooroo/") && !/^\.rooroo\/tasks\/[^/]+\/changes(\/|$)/.test(path);
}
