import { FileError } from "../../src/core/errors.js";
import type {
  DirectoryEntry,
  FileStat,
  FileSystem,
  LocatedFile,
  Location,
} from "../../src/core/ports/files.js";
import { fileError } from "../../src/node/files/fileError.js";

export interface Fault {
  readonly code: "EIO" | "ENOSPC" | "EMFILE";
  /** 1-based: the call that fails; 0: none. */
  readonly at: number;
  /** Whether it is over with that call, or stays, as a disk stays full. */
  readonly stays: boolean;
}

/** Files whose disk fails at one call, or from one call on. */
export class FaultyFiles implements FileSystem {
  calls = 0;
  /** Calls that failed. */
  readonly failed: string[] = [];

  constructor(
    private readonly files: FileSystem,
    private readonly fault: Fault,
  ) {}

  absolute(path: string): string {
    return this.files.absolute(path);
  }
  locate(path: string): Promise<Location> {
    return this.do("find", path, () => this.files.locate(path));
  }
  readFile(path: string): Promise<Uint8Array | undefined> {
    return this.do("read", path, () => this.files.readFile(path));
  }
  readLocated(path: string, most: number): Promise<LocatedFile | undefined> {
    return this.do("read", path, () => this.files.readLocated(path, most));
  }
  readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    return this.do("read", path, () => this.files.readRange(path, start, end));
  }
  stat(path: string): Promise<FileStat | undefined> {
    return this.do("look at", path, () => this.files.stat(path));
  }
  readDirectory(path: string): Promise<DirectoryEntry[]> {
    return this.do("list", path, () => this.files.readDirectory(path));
  }
  replaceFile(...args: Parameters<FileSystem["replaceFile"]>): Promise<boolean> {
    return this.do("write", args[0], () => this.files.replaceFile(...args));
  }
  createFile(...args: Parameters<FileSystem["createFile"]>): Promise<boolean> {
    return this.do("create", args[0], () => this.files.createFile(...args));
  }
  appendLines(...args: Parameters<FileSystem["appendLines"]>): Promise<void> {
    return this.do("write", args[0], () => this.files.appendLines(...args));
  }
  removeFile(path: string): Promise<void> {
    return this.do("remove", path, () => this.files.removeFile(path));
  }
  setMode(...args: Parameters<FileSystem["setMode"]>): Promise<void> {
    return this.do("change", args[0], () => this.files.setMode(...args));
  }
  /** Never fails: what cannot be removed stays. */
  removeTemporaries(folder: string, options?: { below?: boolean }): Promise<void> {
    return this.files.removeTemporaries(folder, options);
  }

  private async do<T>(verb: string, path: string, work: () => Promise<T>): Promise<T> {
    const { code, at, stays } = this.fault;
    const call = ++this.calls;
    // A full disk can still be read.
    const concerns = code !== "ENOSPC" || verb === "write" || verb === "create";
    if (at > 0 && concerns && (stays ? call >= at : call === at)) {
      this.failed.push(`${verb} ${path}`);
      const error = fileError(Object.assign(new Error(code), { code }), path, verb);
      throw error instanceof FileError ? error : new Error("no words for it");
    }
    return work();
  }
}
