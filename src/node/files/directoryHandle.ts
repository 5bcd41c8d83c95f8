import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from "node:fs";
import {
  copyFile,
  type FileHandle,
  link,
  lutimes,
  mkdir,
  open,
  rename,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { errorCode, LeadsElsewhere } from "./fileError.js";
import { realLocation } from "./realLocation.js";

/** Windows has none of these flags; there a file is checked before it is opened. */
const { O_DIRECTORY = 0, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;

/** A copy shares its blocks with the original where the file system can do that. */
const copying = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
/** Bytes; a bigger file is copied asynchronously. */
const atOnceBytes = 1_000_000;

/** The most attempts of a move on Windows while another program has the file open. */
const mostMoves = 10;

/**
 * A folder that is held open while something is written in it. Everything that this program writes is
 * written by the methods of this class: no other module may open a file for writing, and a test of the
 * bundles checks this.
 *
 * On Linux the folder is reached only through the open file, so that no link can be put in its place
 * meanwhile. Elsewhere it is checked right before; what remains is the moment in between. Files in it
 * are never reached through a link of their own.
 */
export class DirectoryHandle {
  /** @param way the path for system calls: the folder's own, or one that names the open file */
  private constructor(
    readonly folder: string,
    private readonly file: number | undefined,
    readonly way: string,
  ) {}

  /**
   * Holds a folder that exists.
   *
   * @param folder absolute and without links
   * @throws LeadsElsewhere where a part of the path is a link by now; else as the system does
   */
  static open(folder: string): DirectoryHandle {
    try {
      if (process.platform !== "linux") return DirectoryHandle.named(folder);
      const file = openSync(folder, constants.O_RDONLY | O_DIRECTORY);
      const way = `/proc/self/fd/${file}`;
      const found = nameOf(way);
      if (found === folder) return new DirectoryHandle(folder, file, way);
      closeSync(file);
      if (found === undefined) return DirectoryHandle.named(folder);
    } catch (error) {
      // To the system, a link that leads nowhere looks like a missing folder.
      const first = firstLink(folder);
      throw first === undefined ? error : new LeadsElsewhere(first);
    }
    throw new LeadsElsewhere(firstLink(folder));
  }

  /**
   * Holds a folder. It and its parents are made where they are missing, so that they survive a crash of
   * the machine.
   *
   * @param folder absolute and without links
   * @throws LeadsElsewhere where a part of the path is a link by now; else as the system does
   */
  static async openOrMake(folder: string): Promise<DirectoryHandle> {
    try {
      return DirectoryHandle.open(folder);
    } catch (error) {
      if (errorCode(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    }
    const parent = await DirectoryHandle.openOrMake(dirname(folder));
    try {
      await mkdir(parent.path(basename(folder)));
      await parent.sync();
    } catch (error) {
      // Another process may have made it at the same time.
      if (errorCode(error) !== "EEXIST") throw error;
    } finally {
      parent.close();
    }
    return DirectoryHandle.open(folder);
  }

  /**
   * Holds a folder outside of all workspaces. It and its parents are made where they are missing,
   * synchronously and for its owner only.
   *
   * @param folder absolute; links in the path are followed
   */
  static openOrMakeNow(folder: string): DirectoryHandle {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return DirectoryHandle.open(realpathSync.native(folder));
  }

  /** Holds a folder by its own path, on systems where open files have no names. */
  private static named(folder: string): DirectoryHandle {
    const real = realpathSync.native(folder);
    if (!isSameName(real, folder)) throw new LeadsElsewhere(firstLink(folder));
    if (!lstatSync(folder).isDirectory()) {
      throw Object.assign(new Error("not a folder"), { code: "ENOTDIR" });
    }
    return new DirectoryHandle(folder, undefined, folder);
  }

  /** Returns what has this name, without following a link; `undefined` if there is nothing. */
  look(name: string): Stats | undefined {
    return lstatSync(this.path(name), { throwIfNoEntry: false });
  }

  /** Does the same as {@link look}, with times in nanoseconds. */
  lookExactly(name: string): BigIntStats | undefined {
    return lstatSync(this.path(name), { bigint: true, throwIfNoEntry: false });
  }

  /**
   * Opens a file in the folder without waiting for the other end of a pipe.
   *
   * @param flags those of the system, including `O_CREAT` and `O_EXCL`
   * @param mode permission bits of a new file
   * @throws LeadsElsewhere for a link
   */
  async open(name: string, flags: number, mode?: number): Promise<FileHandle> {
    this.refuseLink(name, O_NOFOLLOW === 0);
    let handle: FileHandle;
    try {
      handle = await open(this.path(name), flags | O_NOFOLLOW | O_NONBLOCK, mode);
    } catch (error) {
      this.refuseLink(name, errorCode(error) === "ELOOP");
      throw error;
    }
    if (this.file === undefined && !isSameName(realpathSync.native(this.folder), this.folder)) {
      await handle.close();
      throw new LeadsElsewhere(firstLink(this.folder));
    }
    return handle;
  }

  /** Renames a file, in place of what has the new name already. */
  async move(from: string, to: string): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await rename(this.path(from), this.path(to));
        return;
      } catch (error) {
        // On Windows a scanner or an editor may hold the file for a moment.
        const passing = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
        if (process.platform !== "win32" || !passing || attempt === mostMoves) throw error;
        await pause(10 * 2 ** Math.min(attempt, 5));
      }
    }
  }

  /** Does the same as {@link move}, but synchronously, so that nothing else of this process runs before it. */
  moveNow(from: string, to: string): void {
    renameSync(this.path(from), this.path(to));
  }

  /**
   * Creates a small file synchronously and as a whole, readable for its owner only.
   *
   * @param temporary a name that is not in use
   * @returns `false`, with nothing changed, when there is something of that name already
   */
  createNow(name: string, content: string, temporary: string): boolean {
    const file = openSync(this.path(temporary), "wx", 0o600);
    try {
      writeSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    try {
      linkSync(this.path(temporary), this.path(name));
      return true;
    } catch (error) {
      if (errorCode(error) === "EEXIST") return false;
      throw error;
    } finally {
      unlinkSync(this.path(temporary));
    }
  }

  /** Makes a folder in this one, synchronously. */
  makeFolderNow(name: string): void {
    mkdirSync(this.path(name));
  }

  /** Removes an empty folder, synchronously. Throws `ENOTEMPTY` for one that is not empty. */
  removeFolderNow(name: string): void {
    rmdirSync(this.path(name));
  }

  /** Does the same as {@link remove}, but synchronously. */
  removeNow(name: string): void {
    unlinkSync(this.path(name));
  }

  /** Makes a symbolic link, synchronously. */
  makeLinkNow(name: string, target: string): void {
    symlinkSync(target, this.path(name));
  }

  /**
   * Sets permission bits, synchronously. It follows links: use it only for what this process has just
   * made or found to be a folder.
   */
  setModeNow(name: string, mode: number): void {
    chmodSync(this.path(name), mode);
  }

  /**
   * Copies a file to a name that is not in use, with its times and the given permission bits.
   *
   * @param source absolute
   */
  async copy(source: string, name: string, mode: number): Promise<void> {
    const { size, atime, mtime } = lstatSync(source);
    const target = this.path(name);
    if (size > atOnceBytes) await copyFile(source, target, copying);
    else copyFileSync(source, target, copying);
    chmodSync(target, mode);
    utimesSync(target, atime, mtime);
  }

  /** Gives a file a second name. Rejects with `EEXIST` where something has that name. */
  async link(from: string, to: string): Promise<void> {
    await link(this.path(from), this.path(to));
  }

  /** Removes a file, or a link but not what it leads to. */
  async remove(name: string): Promise<void> {
    await unlink(this.path(name));
  }

  /** Sets when a file was last read and written; for a link, the link's own times. */
  async touch(name: string, at: Date): Promise<void> {
    await lutimes(this.path(name), at, at);
  }

  /** Sets a file's permission bits. Throws `LeadsElsewhere` for a link. */
  async setMode(name: string, mode: number): Promise<void> {
    const handle = await this.open(name, constants.O_RDONLY);
    try {
      await handle.chmod(mode);
    } finally {
      await handle.close();
    }
  }

  /** Resolves when all new, renamed and removed names are on disk. */
  async sync(): Promise<void> {
    if (process.platform === "win32") return;
    const handle = await open(this.way, constants.O_RDONLY | O_DIRECTORY);
    try {
      await handle.sync();
    } catch (error) {
      // Some network file systems cannot sync a folder; there is nothing better to do there.
      if (errorCode(error) !== "EINVAL" && errorCode(error) !== "ENOTSUP") throw error;
    } finally {
      await handle.close();
    }
  }

  /** Closes the folder. Must be called once everything else has come to its end. */
  close(): void {
    if (this.file !== undefined) closeSync(this.file);
  }

  private path(name: string): string {
    if (name === "" || name === "." || name === ".." || basename(name) !== name) {
      throw Object.assign(new Error(`not a file's name: ${name}`), { code: "EISDIR" });
    }
    return join(this.way, name);
  }

  private refuseLink(name: string, mayBeOne: boolean): void {
    if (mayBeOne && this.look(name)?.isSymbolicLink() === true) {
      throw new LeadsElsewhere(join(this.folder, name));
    }
  }
}

/**
 * Runs `work` on the folder of a file while that folder is held.
 *
 * @param absolute the file's path, its folder without links
 * @param options `make`: whether the folder is made where it is missing
 * @throws LeadsElsewhere where a part of the folder's path is a link by now
 */
export async function inFolderOf<T>(
  absolute: string,
  options: { readonly make: boolean },
  work: (folder: DirectoryHandle, name: string) => Promise<T>,
): Promise<T> {
  const path = dirname(absolute);
  const folder = options.make ? await DirectoryHandle.openOrMake(path) : DirectoryHandle.open(path);
  try {
    return await work(folder, basename(absolute));
  } finally {
    folder.close();
  }
}

/** Returns the path of an open folder; `undefined` where `/proc` does not exist. */
function nameOf(way: string): string | undefined {
  try {
    return readlinkSync(way);
  } catch {
    return undefined;
  }
}

/**
 * Returns whether both paths are the same name. On macOS and Windows, case and the encoding of accents do not
 * count.
 */
function isSameName(one: string, other: string): boolean {
  const plain = (name: string): string =>
    process.platform === "linux" ? name : name.normalize("NFC").toLowerCase();
  return plain(one) === plain(other);
}

/** Returns the first part of a path that is a link; `undefined` if there is none. */
function firstLink(path: string): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const above = firstLink(parent);
  if (above !== undefined) return above;
  try {
    return lstatSync(path).isSymbolicLink() ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a folder that is this program's own, and its parents, where they are missing. Links that the
 * user has put in the path are followed. Rejects as the system does.
 *
 * @param absolute not in a workspace
 */
export async function makeFolder(absolute: string): Promise<void> {
  (await DirectoryHandle.openOrMake(await realLocation(absolute))).close();
}
