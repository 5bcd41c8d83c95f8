import { closeSync, type Dirent, fstatSync, readlinkSync, type Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve, sep } from "node:path";
import { FileError } from "../../core/errors.js";
import type {
  DirectoryEntry,
  FileStat,
  FileSystem,
  LocatedFile,
  Location,
} from "../../core/ports/files.js";
import { KeyedQueue } from "../../core/text/keyedQueue.js";
import { appendLines } from "./appendLines.js";
import { inFolderOf } from "./directoryHandle.js";
import { durablyCreate, durablyReplace } from "./durableWrite.js";
import { errorCode, fileError, LeadsElsewhere } from "./fileError.js";
import { openForReading, readBytes, readWhole } from "./openForReading.js";
import { isMissing, realLocation, wayInside, workspacePlace } from "./realLocation.js";

/** Bytes. A file with holes may have more than fits into memory. */
const mostAtOnce = 300_000_000;

/** A regular file that is open. */
interface Opened {
  /** The descriptor. */
  readonly fd: number;
  /** The path by which the file was opened. */
  readonly absolute: string;
  /** Where the file lies; `undefined` if it was named by a path outside of the workspace. */
  readonly location: Location | undefined;
  /** The file's size in bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly modifiedAt: number;
}

/** The disk; relative paths start at one workspace folder. */
export class DiskFileSystem implements FileSystem {
  private readonly writes = new KeyedQueue();
  private realRoot: string | undefined;

  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  absolute(path: string): string {
    if (path.includes("\0")) {
      throw new FileError(
        "EINVAL",
        path,
        "A path cannot contain the character NUL. Write it without.",
      );
    }
    return resolve(this.root, path);
  }

  async locate(path: string): Promise<Location> {
    return this.doing("find", path, async (absolute) => {
      const root = await this.canonicalRoot();
      return locationOf(await realLocation(absolute), root);
    });
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    return this.reading(path, undefined, ({ fd, size }) => {
      if (size <= mostAtOnce) return readWhole(fd, size);
      throw new FileError(
        "EFBIG",
        path,
        "{path} is too large to be read as a whole. Make it smaller, or move it away.",
        { path },
      );
    });
  }

  async readLocated(path: string, most: number): Promise<LocatedFile | undefined> {
    return this.reading(path, undefined, async ({ fd, size, modifiedAt, absolute, ...found }) => {
      const location = found.location ?? (await this.placeOfOpen(fd, absolute));
      return { location, modifiedAt, bytes: size > most ? undefined : await readWhole(fd, size) };
    });
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    return this.reading(path, new Uint8Array(), ({ fd, size }) =>
      readBytes(fd, start, Math.max(0, Math.min(end, size) - start)),
    );
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return this.doing("look at", path, async (absolute) => {
      const found = await orMissing(stat(absolute), undefined);
      if (!found) return undefined;
      const { size, mtimeMs: modifiedAt, mode, uid: owner } = found;
      const kind = kindOf(found);
      if (process.platform === "win32") return { kind, size, modifiedAt };
      if (kind !== "file") return { kind, size, modifiedAt, owner };
      return { kind, size, modifiedAt, mode: mode & 0o777, owner };
    });
  }

  async readDirectory(path: string): Promise<DirectoryEntry[]> {
    return this.doing("list", path, async (absolute) => {
      const entries = await orMissing(readdir(absolute, { withFileTypes: true }), []);
      const links = new Map<string, DirectoryEntry["kind"]>();
      for (const entry of entries) {
        if (entry.isSymbolicLink()) links.set(entry.name, await linkedKind(absolute, entry.name));
      }
      return entries
        .map((entry) => ({ name: entry.name, kind: links.get(entry.name) ?? kindOf(entry) }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  async replaceFile(
    path: string,
    content: Uint8Array | string,
    { expected, located = false }: { expected?: Uint8Array; located?: boolean } = {},
  ): Promise<boolean> {
    return this.writing("write", path, located, (place) =>
      inFolderOf(place, { make: true }, (folder, name) =>
        durablyReplace(folder, name, bytesOf(content), expected),
      ),
    );
  }

  async createFile(
    path: string,
    content: Uint8Array | string,
    { located = false }: { located?: boolean } = {},
  ): Promise<boolean> {
    return this.writing("create", path, located, (place) =>
      inFolderOf(place, { make: true }, async (folder, name) => {
        if (folder.look(name)?.isSymbolicLink() === true) {
          throw new LeadsElsewhere(this.absolute(path));
        }
        return durablyCreate(folder, name, bytesOf(content));
      }),
    );
  }

  async appendLines(
    path: string,
    lines: readonly string[],
    options: { durable?: boolean } = {},
  ): Promise<void> {
    await this.changing("write", path, async () =>
      appendLines(await this.placeOf(path), lines, options.durable ?? false),
    );
  }

  async removeFile(path: string): Promise<void> {
    await this.changing("remove", path, async () => {
      const place = await this.placeOf(path);
      await orMissing(
        inFolderOf(place, { make: false }, async (folder, name) => {
          const found = folder.look(name);
          if (found === undefined) return;
          if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
          if (found.isSymbolicLink()) throw new LeadsElsewhere(place);
          await folder.remove(name);
          await folder.sync();
        }),
        undefined,
      );
    });
  }

  async setMode(path: string, mode: number): Promise<void> {
    if (process.platform === "win32") return;
    await this.changing("change", path, async () =>
      inFolderOf(await this.placeOf(path), { make: false }, (folder, name) =>
        folder.setMode(name, mode & 0o777),
      ),
    );
  }

  async removeTemporaries(folder: string, { below = true } = {}): Promise<void> {
    // Imported here because it is needed only after a crash.
    const { removeLeftoverTemporaries } = await import("./leftoverTemporaries.js");
    await this.doing("clean up", folder, async () =>
      removeLeftoverTemporaries(await this.placeOf(folder), below, Date.now()),
    );
  }

  /**
   * Writes a file. If a `located` path leads elsewhere by now, this resolves with `false` instead of
   * rejecting.
   */
  private async writing(
    verb: string,
    path: string,
    located: boolean,
    work: (place: string) => Promise<boolean>,
  ): Promise<boolean> {
    return this.changing(verb, path, async () => {
      if (!located) return work(await this.placeOf(path));
      try {
        return await work(resolve(await this.canonicalRoot(), path));
      } catch (error) {
        if (error instanceof LeadsElsewhere) return false;
        throw error;
      }
    });
  }

  private async changing<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
    return this.doing(verb, path, (absolute) => this.writes.run(absolute, work));
  }

  private async reading<T, U>(
    path: string,
    missing: U,
    work: (opened: Opened) => Promise<T>,
  ): Promise<T | U> {
    return this.doing("read", path, async (absolute) => {
      const fd = await openForReading(absolute);
      if (fd === undefined) return missing;
      try {
        const isOurs = !isAbsolute(path) && wayInside(this.root, absolute) !== undefined;
        const location = isOurs ? await this.placeOfOpen(fd, absolute) : undefined;
        if (location?.inside === false) throw leadsOut(path, location.path);
        // Synchronous: the system knows this of an open file without asking the disk.
        const found = fstatSync(fd);
        if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
        const { size, mtimeMs: modifiedAt } = found;
        if (found.isFile()) return await work({ fd, size, modifiedAt, absolute, location });
        throw new FileError(
          "ENOTFILE",
          path,
          "{path} is a device or a pipe, not a file. Name a file.",
          {
            path,
          },
        );
      } finally {
        // Synchronous: the disk need not be asked to close what was only read.
        closeSync(fd);
      }
    });
  }

  private async placeOf(path: string): Promise<string> {
    return workspacePlace(this.root, path, await this.canonicalRoot());
  }

  private async canonicalRoot(): Promise<string> {
    return (this.realRoot ??= await realpath(this.root));
  }

  private async placeOfOpen(fd: number, absolute: string): Promise<Location> {
    const real = nameOfOpen(fd) ?? (await realLocation(absolute));
    return locationOf(real, this.realRoot ?? (await this.canonicalRoot()));
  }

  private async doing<T>(
    verb: string,
    path: string,
    work: (absolute: string) => Promise<T>,
  ): Promise<T> {
    const absolute = this.absolute(path);
    try {
      return await work(absolute);
    } catch (error) {
      throw fileError(error, path, verb);
    }
  }
}

/**
 * Returns a real path as a location.
 *
 * @param root the workspace's path; both are absolute and without links
 */
function locationOf(real: string, root: string): Location {
  const within = wayInside(root, real);
  return { path: slashes(within ?? real), inside: within !== undefined };
}

/** Returns the error for a path of the workspace that leads out of it, as through a link that the workspace brings along. */
function leadsOut(path: string, target: string): FileError {
  return new FileError(
    "ELEADSOUT",
    path,
    "{path} leads out of the workspace, to {target}. Remove the link, or name the other place.",
    { path, target },
  );
}

/** Returns the real path of an open file; `undefined` where the system does not tell. */
function nameOfOpen(fd: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}

/** Resolves with `answer` instead of rejecting if the file does not exist. */
async function orMissing<T, U>(work: Promise<T>, answer: U): Promise<T | U> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return answer;
    throw error;
  }
}

async function linkedKind(folder: string, name: string): Promise<DirectoryEntry["kind"]> {
  try {
    return kindOf(await stat(resolve(folder, name)));
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "ELOOP") return "other";
    throw error;
  }
}

function kindOf(entry: Stats | Dirent): DirectoryEntry["kind"] {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "folder" : "other";
}

function bytesOf(content: Uint8Array | string): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}

function slashes(path: string): string {
  return sep === "/" ? path : path.replaceAll(sep, "/");
}
