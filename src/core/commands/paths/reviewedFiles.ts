import type { FileSystem } from "../../ports/files.js";

/** What the review of a command needs of the file system. It only looks. */
export type ReviewedFiles = Pick<
  FileSystem,
  "absolute" | "locate" | "readFile" | "stat" | "readDirectory"
>;

/**
 * Returns the files for one review, which looks at each path once: several rules ask for the same one, and a command
 * would otherwise wait for the disk several times as long. What has changed until it runs is found by `pinned`.
 */
export function lookingOnce(files: ReviewedFiles): ReviewedFiles {
  return {
    absolute: (path) => files.absolute(path),
    locate: once((path) => files.locate(path)),
    readFile: (path) => files.readFile(path),
    stat: once((path) => files.stat(path)),
    readDirectory: (path) => files.readDirectory(path),
  };
}

function once<T>(look: (path: string) => Promise<T>): (path: string) => Promise<T> {
  const seen = new Map<string, Promise<T>>();
  return (path) => {
    const found = seen.get(path) ?? look(path);
    seen.set(path, found);
    return found;
  };
}
