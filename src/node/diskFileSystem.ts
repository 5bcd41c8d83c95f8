import { chmod, open, readdir, readFile, realpath, stat, unlink } from "node:fs/promises";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import type { Dirent, Stats } from "node:fs";
import { FileError } from "../core/errors.js";
import type { DirectoryEntry, FileStat, FileSystem, Location } from "../core/ports.js";
import { appendLines } from "./appendLines.js";
import { durablyCreate, durablyReplace, syncFolder } from "./durableWrite.js";
import { errorCode, fileError } from "./fileError.js";
import { isMissing, realLocation } from "./realLocation.js";
import { SerialByKey } from "../core/serialByKey.js";

/** The disk, seen from one workspace folder. */
export class DiskFileSystem implements FileSystem {
  private readonly writes = new SerialByKey();
  private realRoot: string | undefined;

  /** @param root the workspace folder's absolute path */
  constructor(private readonly root: string) {}

  /** The path as the system wants it. */
  absolute(path: string): string {
    if (path.includes("\0")) {
      throw new FileError("EINVAL", path, "A path cannot contain the character NUL.");
    }
    return resolve(this.root, path);
  }

  async locate(path: string): Promise<Location> {
    return this.doing("find", path, async (absolute) => {
      this.realRoot ??= await realpath(this.root);
      const real = await realLocation(absolute);
      const within = relative(this.realRoot, real);
      const outside = within === ".." || within.startsWith(`..${sep}`) || isAbsolute(within);
      return { path: slashes(outside ? real : within), inside: !outside };
    });
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    return this.doing("read", path, (absolute) => orMissing(readFile(absolute), undefined));
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    return this.doing("read", path, async (absolute) => {
      const handle = await orMissing(open(absolute, "r"), undefined);
      if (!handle) return new Uint8Array();
      try {
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
      } finally {
        await handle.close();
      }
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
    options: { expected?: Uint8Array } = {},
  ): Promise<boolean> {
    return this.writing("write", path, async (absolute) =>
      durablyReplace(await realLocation(absolute), bytesOf(content), options.expected),
    );
  }

  async createFile(path: string, content: Uint8Array | string): Promise<boolean> {
    return this.writing("create", path, (absolute) => durablyCreate(absolute, bytesOf(content)));
  }

  async appendLines(
    path: string,
    lines: readonly string[],
    options: { durable?: boolean } = {},
  ): Promise<void> {
    await this.writing("write", path, (absolute) =>
      appendLines(absolute, lines, options.durable ?? false),
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
    return this.doing(verb, path, (absolute) => this.writes.run(absolute, () => work(absolute)));
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
