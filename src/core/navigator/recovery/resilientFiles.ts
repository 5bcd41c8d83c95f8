import { FileError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";

/** Codes of transient failures: another program holds the file, or too many are open. */
const passing = new Set(["EBUSY", "EAGAIN", "EMFILE", "ENFILE", "EPERM"]);

/** Returns a file system that retries a write once after a transient failure (R-ROO-23). */
export function resilientFiles(files: FileSystem): FileSystem {
  return {
    absolute: (path) => files.absolute(path),
    locate: (path) => files.locate(path),
    readFile: (path) => files.readFile(path),
    readLocated: (path, most) => files.readLocated(path, most),
    readRange: (path, start, end) => files.readRange(path, start, end),
    stat: (path) => files.stat(path),
    readDirectory: (path) => files.readDirectory(path),
    replaceFile: (path, content, options) => twice(() => files.replaceFile(path, content, options)),
    createFile: (path, content, options) => twice(() => files.createFile(path, content, options)),
    appendLines: (path, lines, options) => twice(() => files.appendLines(path, lines, options)),
    removeFile: (path) => twice(() => files.removeFile(path)),
    setMode: (path, mode) => twice(() => files.setMode(path, mode)),
    removeTemporaries: (folder, options) => files.removeTemporaries(folder, options),
  };
}

async function twice<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof FileError && passing.has(error.code)) return write();
    throw error;
  }
}
