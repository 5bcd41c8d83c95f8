import type { Stats } from "node:fs";
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { watch, type FSWatcher } from "chokidar";
import { Minimatch } from "minimatch";
import type * as real from "vscode";
import { FileType } from "./enums.js";
import { EventEmitter } from "./events.js";
import { Uri } from "./uri.js";

export class FileSystemError extends Error {
  private static make(code: string, words: string) {
    return (what: string | real.Uri = words): FileSystemError => {
      const text = typeof what === "string" ? what : `${words}: ${what.toString()}`;
      return new FileSystemError(text, code);
    };
  }
  static readonly FileNotFound = FileSystemError.make("FileNotFound", "no such file");
  static readonly FileExists = FileSystemError.make("FileExists", "the file exists");
  static readonly FileIsADirectory = FileSystemError.make("FileIsADirectory", "is a folder");
  static readonly FileNotADirectory = FileSystemError.make("FileNotADirectory", "no folder");
  static readonly NoPermissions = FileSystemError.make("NoPermissions", "not permitted");
  static readonly Unavailable = FileSystemError.make("Unavailable", "unavailable");

  constructor(
    what: string | real.Uri = "",
    readonly code = "Unknown",
  ) {
    super(typeof what === "string" ? what : what.toString());
    this.name = code;
  }
}

const asError = (uri: real.Uri) => (error: unknown) => {
  const { code } = error as { code?: string };
  if (code === "ENOENT") throw FileSystemError.FileNotFound(uri);
  if (code === "EISDIR") throw FileSystemError.FileIsADirectory(uri);
  if (code === "ENOTDIR") throw FileSystemError.FileNotADirectory(uri);
  if (code === "EEXIST") throw FileSystemError.FileExists(uri);
  throw error;
};

function typeOf(one: { isFile(): boolean; isDirectory(): boolean }): real.FileType {
  if (one.isDirectory()) return FileType.Directory;
  return one.isFile() ? FileType.File : FileType.Unknown;
}

/** `workspace.fs` over the disk. */
export const diskFileSystem = {
  isWritableFileSystem: (scheme: string) => scheme === "file",
  async stat(uri: real.Uri) {
    const found = await stat(uri.fsPath).catch(asError(uri));
    const isLink = (await lstat(uri.fsPath)).isSymbolicLink();
    const flags: number = typeOf(found) | (isLink ? FileType.SymbolicLink : 0);
    // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- a set of flags is no member
    const type: real.FileType = flags;
    return { type, size: found.size, mtime: found.mtimeMs, ctime: found.ctimeMs };
  },
  async readDirectory(uri: real.Uri) {
    const entries = await readdir(uri.fsPath, { withFileTypes: true }).catch(asError(uri));
    return entries.map((entry): [string, real.FileType] => [entry.name, typeOf(entry)]);
  },
  async createDirectory(uri: real.Uri) {
    await mkdir(uri.fsPath, { recursive: true });
  },
  async readFile(uri: real.Uri) {
    return new Uint8Array(await readFile(uri.fsPath).catch(asError(uri)));
  },
  async writeFile(uri: real.Uri, content: Uint8Array) {
    await mkdir(Uri.joinPath(uri, "..").fsPath, { recursive: true });
    await writeFile(uri.fsPath, content).catch(asError(uri));
  },
  async delete(uri: real.Uri, { recursive = false } = {}) {
    await rm(uri.fsPath, { recursive }).catch(asError(uri));
  },
  async rename(from: real.Uri, to: real.Uri) {
    await rename(from.fsPath, to.fsPath).catch(asError(from));
  },
  async copy(from: real.Uri, to: real.Uri) {
    await cp(from.fsPath, to.fsPath, { recursive: true }).catch(asError(from));
  },
} satisfies real.FileSystem;

export class RelativePattern {
  readonly baseUri: real.Uri;
  readonly base: string;

  constructor(
    base: real.Uri | real.WorkspaceFolder | string,
    readonly pattern: string,
  ) {
    if (typeof base === "string") this.baseUri = Uri.file(base);
    else this.baseUri = "uri" in base ? base.uri : base;
    this.base = this.baseUri.fsPath;
  }
}

/** Patterns by their text: there are few, and each is compared with every change of a file. */
const patterns = new Map<string, Minimatch>();

function fits(path: string, text: string): boolean {
  const pattern = patterns.get(text) ?? new Minimatch(text, { dot: true });
  patterns.set(text, pattern);
  return pattern.match(path);
}

/** Returns whether a file fits a pattern; one without a base is meant for whole paths. */
export function fitsPattern(path: string, pattern: real.GlobPattern): boolean {
  if (typeof pattern === "string") return fits(path, pattern);
  const inside = relative(pattern.baseUri.fsPath, path);
  return !inside.startsWith("..") && fits(inside, pattern.pattern);
}

type Change = "create" | "change" | "delete";

/** The milliseconds in which chokidar tells of no second change of a file (`findings/`), and some more. */
const throttledMs = 100;

const isSame = (one: Stats, other: Stats) =>
  one.ino === other.ino && one.size === other.size && one.mtimeMs === other.mtimeMs;

/** Watchers of files: one watcher of the disk for each folder that somebody looks at. */
export class FileWatchers {
  private readonly disks = new Map<string, { watcher: FSWatcher; ready: Promise<void> }>();
  /** The stats of each file when it was last told about, by path. */
  private readonly files = new Map<string, Stats>();
  /** The second looks at files that have changed, by path. */
  private readonly looks = new Map<string, NodeJS.Timeout>();
  private readonly happened = new EventEmitter<{ readonly type: Change; readonly path: string }>();
  readonly onDidHappen = this.happened.event;

  /** @param folder the workspace's, for patterns without a base */
  constructor(private readonly folder: string | undefined) {}

  create(
    pattern: real.GlobPattern,
    ignoreCreateEvents = false,
    ignoreChangeEvents = false,
    ignoreDeleteEvents = false,
  ): real.FileSystemWatcher {
    const base = typeof pattern === "string" ? this.folder : pattern.baseUri.fsPath;
    if (base !== undefined) this.watch(base);
    const emitters = {
      create: new EventEmitter<real.Uri>(),
      change: new EventEmitter<real.Uri>(),
      delete: new EventEmitter<real.Uri>(),
    };
    const ignored = {
      create: ignoreCreateEvents,
      change: ignoreChangeEvents,
      delete: ignoreDeleteEvents,
    };
    const subscription = this.happened.event(({ type, path }) => {
      if (!ignored[type] && fitsPattern(path, pattern)) emitters[type].fire(Uri.file(path));
    });
    return {
      ignoreCreateEvents,
      ignoreChangeEvents,
      ignoreDeleteEvents,
      onDidCreate: emitters.create.event,
      onDidChange: emitters.change.event,
      onDidDelete: emitters.delete.event,
      dispose: () => {
        subscription.dispose();
        for (const one of Object.values(emitters)) one.dispose();
      },
    };
  }

  /** Resolves when everything that is to be watched is. */
  async ready(): Promise<void> {
    await Promise.all([...this.disks.values()].map(({ ready }) => ready));
  }

  async close(): Promise<void> {
    this.happened.dispose();
    for (const look of this.looks.values()) clearTimeout(look);
    this.looks.clear();
    await Promise.all([...this.disks.values()].map(({ watcher }) => watcher.close()));
  }

  /** Tells of a change that has come too soon after the one that was told for the disk's watcher to tell it. */
  private lookAgain(path: string, told: Stats): void {
    clearTimeout(this.looks.get(path));
    this.files.set(path, told);
    const look = async () => {
      const now = await stat(path).catch(() => undefined);
      if (this.looks.get(path) !== timer) return;
      this.looks.delete(path);
      if (now === undefined || isSame(now, told)) return;
      this.happened.fire({ type: now.ino === told.ino ? "change" : "create", path });
      this.lookAgain(path, now);
    };
    const timer = setTimeout(() => void look(), throttledMs);
    this.looks.set(path, timer);
  }

  private watch(base: string): void {
    if ([...this.disks.keys()].some((known) => !relative(known, base).startsWith(".."))) return;
    // Otherwise a file that is found while the watcher is closed would keep the process alive (`findings/`).
    const watcher = watch(base, { followSymlinks: false, alwaysStat: true, persistent: false });
    let isReady = false;
    const tell = (type: Change) => (path: string, told?: Stats) => {
      if (isReady) this.happened.fire({ type, path });
      if (told?.isFile() === true) this.lookAgain(path, told);
    };
    watcher.on("add", tell("create")).on("addDir", tell("create"));
    watcher.on("change", (path, told) => {
      // VS Code 1.139 tells of a file that is moved over another one as of a new one.
      const isOther = told !== undefined && this.files.get(path)?.ino !== told.ino;
      tell(isOther ? "create" : "change")(path, told);
    });
    watcher.on("unlink", tell("delete")).on("unlinkDir", tell("delete"));
    // A file that is gone before it was looked at.
    watcher.on("error", () => undefined);
    const ready = new Promise<void>((resolve) =>
      watcher.once("ready", () => {
        isReady = true;
        resolve();
      }),
    );
    this.disks.set(base, { watcher, ready });
  }
}
