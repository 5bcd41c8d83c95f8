/**
 * Files of the workspace and around it. A "path" is workspace-relative with `/` separators (`src/main.js`), or
 * absolute when it points outside the workspace. `""` is the workspace root.
 */

/** The place that a path leads to when all symbolic links are resolved. */
export interface Location {
  /** Canonical: workspace-relative when inside, absolute otherwise. */
  readonly path: string;
  readonly inside: boolean;
}

export interface FileStat {
  readonly kind: "file" | "folder" | "other";
  /** Size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Permission bits of a file, as in `0o644`; absent where the system has none. */
  readonly mode?: number;
  /** The system's number of the user whom it belongs to; absent where the system has none. */
  readonly owner?: number;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "other";
}

/** What is needed to read files. */
export type ReadableFiles = Pick<
  FileSystem,
  "locate" | "stat" | "readFile" | "readRange" | "readDirectory"
>;

/** A file and where it was found. */
export interface LocatedFile {
  readonly location: Location;
  /** Milliseconds since the epoch, as {@link FileStat} has it. */
  readonly modifiedAt: number;
  /** The file's content; `undefined` when the file is longer than the caller allowed. */
  readonly bytes: Uint8Array | undefined;
}

/**
 * Files of the workspace, and others by absolute path. Methods throw {@link FileError} for every failure
 * but a missing file, which is an ordinary answer; also when a link makes a relative path lead out of
 * the workspace: a path outside must be given as absolute. Nothing is written through a link, wherever
 * it leads: writing to a path with a link in it throws, too.
 */
export interface FileSystem {
  /** Returns the path as the system has it, without following links. */
  absolute(path: string): string;
  /** Resolves links of the longest existing part, so that files yet to be made are located too. */
  locate(path: string): Promise<Location>;
  /** Reads a whole file; `undefined` when there is no such file. */
  readFile(path: string): Promise<Uint8Array | undefined>;
  /**
   * Reads a file and returns where it was found. On Linux both come from the same open file, so that no
   * link can be put in between. `undefined` when there is no such file.
   *
   * @param most the most bytes to read; a longer file is not read at all
   */
  readLocated(path: string, most: number): Promise<LocatedFile | undefined>;
  /** Reads the bytes from `start` (0-based) to `end` (exclusive), fewer at the end of the file. */
  readRange(path: string, start: number, end: number): Promise<Uint8Array>;
  stat(path: string): Promise<FileStat | undefined>;
  /** Returns a folder's entries, sorted by name; empty when there is no such folder. */
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  /**
   * Replaces a file as a whole: after a crash it has the old or the new content, never a mixture. The
   * write is durable when the promise resolves. Makes parent folders. Returns `false`, with nothing
   * changed, when the file's content is not `expected` (which is checked last), or, for a `located`
   * path, when the path leads elsewhere by now.
   */
  replaceFile(
    path: string,
    content: Uint8Array | string,
    options?: { expected?: Uint8Array; located?: boolean },
  ): Promise<boolean>;
  /**
   * Creates a file and its parent folders. Returns `false`, with nothing changed, when the file exists,
   * or, for a `located` path, when the path leads elsewhere by now.
   */
  createFile(
    path: string,
    content: Uint8Array | string,
    options?: { located?: boolean },
  ): Promise<boolean>;
  /**
   * Appends lines. Adds a missing last newline first, so that a torn line stays a line of its own. Makes
   * parent folders. `durable`: resolves only when the lines are on disk.
   */
  appendLines(
    path: string,
    lines: readonly string[],
    options?: { durable?: boolean },
  ): Promise<void>;
  /** Removes a file; a missing file is no error. */
  removeFile(path: string): Promise<void>;
  /** Sets the permission bits of a file, where the system has any. */
  setMode(path: string, mode: number): Promise<void>;
  /**
   * Removes the temporary files of interrupted writes from a folder: those of processes that have ended, and any that are
   * older than a day. Files that cannot be removed stay.
   *
   * @param options `below`: whether it is done in all folders below, too. Default: yes
   */
  removeTemporaries(folder: string, options?: { below?: boolean }): Promise<void>;
}
