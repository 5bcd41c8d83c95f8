import { type Dirent, readlinkSync, type Stats } from "node:fs";
import {
  chmod,
  constants,
  type FileHandle,
  open,
  readdir,
  realpath,
  stat,
  unlink,
} from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { FileError } from "../core/errors.js";
import type { DirectoryEntry, FileStat, FileSystem, Location } from "../core/ports.js";
import { appendLines } from "./appendLines.js";
import { durablyCreate, durablyReplace, syncFolder } from "./durableWrite.js";
import { errorCode, fileError } from "./fileError.js";
import { inHeldFolder } from "./heldFolder.js";
import { isMissing, realLocation } from "./realLocation.js";
import { SerialByKey } from "../core/serialByKey.js";

/** The disk, seen from one workspace folder. */
export class DiskFileSystem implements FileSystem {
  private readonly writes = new SerialByKey();
  private realRoot: string | undefined;

  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  absolute(path: string): string {
    if (path.includes("\0")) {
      throw new FileError("EINVAL", path, "A path cannot contain the character NUL.");
    }
    return resolve(this.root, path);
  }

  async locate(path: string): Promise<Location> {
    return this.doing("find", path, async (absolute) => {
      const root = (this.realRoot ??= await realpath(this.root));
      const real = await realLocation(absolute);
      const within = wayInside(root, real);
      return { path: slashes(within ?? real), inside: within !== undefined };
    });
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    return this.reading(path, undefined, (handle) => handle.readFile());
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    return this.reading(path, new Uint8Array(), async (handle) => {
      const { size } = await handle.stat();
      const bytes = Buffer.alloc(Math.max(0, Math.min(end, size) - start));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(
          bytes,
          filled,
          bytes.length - filled,
          start + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    });
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return this.doing("look at", path, async (absolute) => {
      const found = await orMissing(stat(absolute), undefined);
      if (!found) return undefined;
      const { size, mtimeMs: modifiedAt, mode } = found;
      const kind = kindOf(found);
      if (kind !== "file" || process.platform === "win32") return { kind, size, modifiedAt };
      return { kind, size, modifiedAt, mode: mode & 0o777 };
    });
  }

  async readDirectory(path: string): Promise<DirectoryEntry[]> {
    return this.doing("list", path, async (absolute) => {
      const entries = await orMissing(readdir(absolute, { withFileTypes: true }), []);
      const kinds = entries.map(async (entry) => ({
        name: entry.name,
        kind: entry.isSymbolicLink() ? await linkedKind(absolute, entry.name) : kindOf(entry),
      }));
      return (await Promise.all(kinds)).sort((a, b) => (a.name < b.name ? -1 : 1));
    });
  }

  async replaceFile(
    path: string,
    content: Uint8Array | string,
    { expected, located = false }: { expected?: Uint8Array; located?: boolean } = {},
  ): Promise<boolean> {
    const bytes = bytesOf(content);
    return this.changing("write", path, async (absolute) => {
      if (!located) {
        await this.checkInside(path, absolute);
        return durablyReplace(await realLocation(absolute), bytes, expected);
      }
      const replace = (held: string) => durablyReplace(held, bytes, expected);
      return (await inHeldFolder(await this.canonical(path), replace)) ?? false;
    });
  }

  async createFile(
    path: string,
    content: Uint8Array | string,
    { located = false }: { located?: boolean } = {},
  ): Promise<boolean> {
    const bytes = bytesOf(content);
    return this.changing("create", path, async (absolute) => {
      if (!located) {
        await this.checkInside(path, absolute);
        return durablyCreate(absolute, bytes);
      }
      const create = (held: string) => durablyCreate(held, bytes);
      return (await inHeldFolder(await this.canonical(path), create)) ?? false;
    });
  }

  async appendLines(
    path: string,
    lines: readonly string[],
    options: { durable?: boolean } = {},
  ): Promise<void> {
    await this.changing("write", path, (absolute) =>
      appendLines(absolute, lines, options.durable ?? false, (handle) =>
        this.checkInside(path, absolute, handle),
      ),
    );
  }

  async removeFile(path: string): Promise<void> {
    await this.writing("remove", path, async (absolute) => {
      const found = await orMissing(stat(absolute), undefined);
      if (found?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      try {
        await unlink(absolute);
      } catch (error) {
        if (isMissing(error)) return;
        throw error;
      }
      await syncFolder(dirname(absolute));
    });
  }

  async setMode(path: string, mode: number): Promise<void> {
    if (process.platform === "win32") return;
    await this.writing("change", path, (absolute) => chmod(absolute, mode & 0o777));
  }

  private async writing<T>(
    verb: string,
    path: string,
    work: (absolute: string) => Promise<T>,
  ): Promise<T> {
    return this.changing(verb, path, async (absolute) => {
      await this.checkInside(path, absolute);
      return work(absolute);
    });
  }

  private async changing<T>(
    verb: string,
    path: string,
    work: (absolute: string) => Promise<T>,
  ): Promise<T> {
    return this.doing(verb, path, (absolute) => this.writes.run(absolute, () => work(absolute)));
  }

  private async reading<T, U>(
    path: string,
    missing: U,
    work: (handle: FileHandle) => Promise<T>,
  ): Promise<T | U> {
    return this.doing("read", path, async (absolute) => {
      // Whoever opens a pipe waits for somebody at its other end.
      const nonBlocking = process.platform === "win32" ? 0 : constants.O_NONBLOCK;
      const flags = constants.O_RDONLY | nonBlocking;
      const handle = await orMissing(open(absolute, flags), undefined);
      if (!handle) return missing;
      try {
        await this.checkInside(path, absolute, handle);
        const found = await handle.stat();
        if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
        if (found.isFile()) return await work(handle);
        throw new FileError("ENOTFILE", path, `${path} is a device or a pipe, not a file.`);
      } finally {
        await handle.close();
      }
    });
  }

  /** The system's path for one that {@link locate} gave. */
  private async canonical(path: string): Promise<string> {
    return resolve((this.realRoot ??= await realpath(this.root)), path);
  }

  /** What a workspace brings along, such as links, must not make its own paths lead out of it. */
  private async checkInside(path: string, absolute: string, handle?: FileHandle): Promise<void> {
    if (isAbsolute(path) || wayInside(this.root, absolute) === undefined) return;
    const root = (this.realRoot ??= await realpath(this.root));
    const real = nameOfOpen(handle) ?? (await realLocation(absolute));
    if (wayInside(root, real) !== undefined) return;
    throw new FileError(
      "ELEADSOUT",
      path,
      `${path} leads out of the workspace, to ${real}. Remove the link, or name the other place.`,
    );
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

/** `undefined` when the path is not in the folder; both without links. */
function wayInside(folder: string, path: string): string | undefined {
  const way = relative(folder, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way;
}

/** Where what is open really is; `undefined` where the system does not tell. */
function nameOfOpen(handle: FileHandle | undefined): string | undefined {
  if (handle === undefined || process.platform !== "linux") return undefined;
  try {
    return readlinkSync(`/proc/self/fd/${handle.fd}`);
  } catch {
    return undefined;
  }
}

/** "Not there" as an ordinary answer. */
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
