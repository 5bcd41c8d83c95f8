import { readTemporaryName } from "../../src/core/access/temporaryName.js";
import { FileError } from "../../src/core/errors.js";
import type {
  DirectoryEntry,
  FileStat,
  FileSystem,
  LocatedFile,
  Location,
} from "../../src/core/ports/files.js";
import { folderOf, lastPart } from "../../src/core/text/pathParts.js";

const changing: ReadonlySet<keyof FileSystem> = new Set([
  "replaceFile",
  "createFile",
  "appendLines",
  "removeFile",
  "setMode",
  "removeTemporaries",
]);

/**
 * Plays a process that ends at its nth change of files: this and all later operations fail. One that ends while it reads
 * leaves what the change before left, so these are all moments there are.
 *
 * @param nth 1 is the first change
 * @returns what to call before each operation; it throws once the process has ended
 */
export function endsAtChange(nth: number): (operation: keyof FileSystem) => void {
  let left = nth;
  return (operation) => {
    if (left > 0 && changing.has(operation)) left--;
    if (left === 0) throw new Error("The process has ended.");
  };
}

/** Files in a map, under a workspace that is at `/workspace` unless said otherwise. Folders are there as long as files are in them. */
export class MemoryFileSystem implements FileSystem {
  /** Called before every operation; what it throws, the operation throws. */
  beforeOperation?: (operation: keyof FileSystem, path: string) => void;

  /** The contents by canonical path. */
  private readonly contents = new Map<string, Uint8Array>();
  private readonly times = new Map<string, number>();
  private readonly modes = new Map<string, number>();
  /** Symbolic links, canonical path to target. */
  private readonly links = new Map<string, string>();
  /** The numbers of other users, by the canonical paths of what belongs to them. */
  private readonly owners = new Map<string, number>();
  private time = 0;

  constructor(
    files: Readonly<Record<string, string | Uint8Array>> = {},
    private readonly root = "/workspace",
  ) {
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** Writes as somebody else would, past {@link beforeOperation}. */
  put(path: string, content: string | Uint8Array): void {
    const key = this.resolve(path);
    this.contents.set(key, typeof content === "string" ? encode(content) : content.slice());
    this.times.set(key, ++this.time);
  }

  link(path: string, target: string): void {
    this.links.set(this.resolve(path), target);
  }

  /** Has a file or folder belong to a user; everything else belongs to user 1. */
  give(path: string, owner: number): void {
    this.owners.set(this.resolve(path), owner);
  }

  text(path: string): string | undefined {
    const bytes = this.contents.get(this.resolve(path));
    return bytes && new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  }

  /** The paths of all files, sorted. */
  get paths(): string[] {
    return [...this.contents.keys()].sort();
  }

  absolute(path: string): string {
    return path.startsWith("/") ? path : `${this.root}${path === "" ? "" : `/${path}`}`;
  }

  async locate(path: string): Promise<Location> {
    const canonical = await this.begin("locate", path);
    return { path: canonical, inside: !canonical.startsWith("/") };
  }

  async readFile(path: string): Promise<Uint8Array | undefined> {
    const key = await this.begin("readFile", path);
    if (this.isFolder(key)) throw isAFolder(path);
    return this.contents.get(key)?.slice();
  }

  async readLocated(path: string, most: number): Promise<LocatedFile | undefined> {
    const key = await this.begin("readLocated", path);
    if (this.isFolder(key)) throw isAFolder(path);
    const bytes = this.contents.get(key);
    if (bytes === undefined) return undefined;
    const location = { path: key, inside: !key.startsWith("/") };
    const modifiedAt = this.times.get(key) ?? 0;
    return { location, modifiedAt, bytes: bytes.length > most ? undefined : bytes.slice() };
  }

  async readRange(path: string, start: number, end: number): Promise<Uint8Array> {
    const key = await this.begin("readRange", path);
    if (this.isFolder(key)) throw isAFolder(path);
    return this.contents.get(key)?.slice(start, end) ?? new Uint8Array();
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const key = await this.begin("stat", path);
    const owner = this.owners.get(key) ?? 1;
    if (this.isFolder(key)) return { kind: "folder", size: 0, modifiedAt: 0, owner };
    const content = this.contents.get(key);
    if (!content) return undefined;
    const mode = this.modes.get(key) ?? 0o644;
    const modifiedAt = this.times.get(key) ?? 0;
    return { kind: "file", size: content.length, modifiedAt, mode, owner };
  }

  async readDirectory(path: string): Promise<DirectoryEntry[]> {
    const key = await this.begin("readDirectory", path);
    const prefix = key === "" ? "" : `${key}/`;
    const entries = new Map<string, DirectoryEntry>();
    for (const file of this.contents.keys()) {
      if (!file.startsWith(prefix) || (prefix === "" && file.startsWith("/"))) continue;
      const [name = "", ...below] = file.slice(prefix.length).split("/");
      entries.set(name, { name, kind: below.length > 0 ? "folder" : "file" });
    }
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async replaceFile(
    path: string,
    content: Uint8Array | string,
    { expected, located = false }: { expected?: Uint8Array; located?: boolean } = {},
  ): Promise<boolean> {
    const key = await this.begin("replaceFile", path, located);
    if (located && key !== path) return false;
    if (this.isFolder(key)) throw isAFolder(path);
    const current = this.contents.get(key);
    if (expected !== undefined && !(current && Buffer.from(current).equals(expected))) return false;
    this.put(key, content);
    return true;
  }

  async createFile(
    path: string,
    content: Uint8Array | string,
    { located = false }: { located?: boolean } = {},
  ): Promise<boolean> {
    const key = await this.begin("createFile", path, located);
    if (located && key !== path) return false;
    if (this.contents.has(key) || this.isFolder(key)) return false;
    this.put(key, content);
    return true;
  }

  async appendLines(path: string, lines: readonly string[]): Promise<void> {
    const key = await this.begin("appendLines", path);
    if (this.isFolder(key)) throw isAFolder(path);
    if (lines.length === 0) return;
    const before = this.contents.get(key) ?? new Uint8Array();
    const torn = before.length > 0 && before.at(-1) !== 10;
    const added = encode((torn ? "\n" : "") + lines.map((line) => `${line}\n`).join(""));
    const after = new Uint8Array(before.length + added.length);
    after.set(before);
    after.set(added, before.length);
    this.put(key, after);
  }

  async removeFile(path: string): Promise<void> {
    const key = await this.begin("removeFile", path);
    if (this.isFolder(key)) throw isAFolder(path);
    this.contents.delete(key);
    this.times.delete(key);
    this.modes.delete(key);
  }

  async setMode(path: string, mode: number): Promise<void> {
    const key = await this.begin("setMode", path);
    if (!this.contents.has(key))
      throw new FileError("ENOENT", path, "There is no file {path}.", { path });
    this.modes.set(key, mode);
  }

  /** Removes all temporary files: no process but this one has ever been here, so that all of them are left over. */
  async removeTemporaries(folder: string, { below = true } = {}): Promise<void> {
    const key = await this.begin("removeTemporaries", folder);
    for (const path of this.paths) {
      const name = lastPart(path);
      const isBelow = key === "" ? !path.startsWith("/") : path.startsWith(`${key}/`);
      const isMeant = below ? isBelow : folderOf(path) === key;
      if (isMeant && readTemporaryName(name) !== undefined) this.contents.delete(path);
    }
  }

  /** Resolves a microtask later, as an adapter would, so that callers cannot rely on order by chance. */
  private async begin(operation: keyof FileSystem, path: string, located = false): Promise<string> {
    await Promise.resolve();
    this.beforeOperation?.(operation, path);
    const key = this.resolve(path);
    const looks = located || ["locate", "stat", "readDirectory"].includes(operation);
    if (!looks && key.startsWith("/") && !/^\/|(^|\/)\.\.(\/|$)/.test(path)) {
      throw new FileError("ELEADSOUT", path, "{path} leads out of the workspace, to {key}.", {
        path,
        key,
      });
    }
    const isWrite =
      !looks &&
      operation !== "readFile" &&
      operation !== "readRange" &&
      operation !== "readLocated";
    if (isWrite && !path.startsWith("/") && this.goesThroughLink(path)) {
      throw new FileError("ELEADSOUT", path, "{path} was not changed, because of a link.", {
        path,
      });
    }
    return key;
  }

  private goesThroughLink(path: string): boolean {
    const parts = path.split("/");
    return parts.some((_, i) => this.links.has(parts.slice(0, i + 1).join("/")));
  }

  private isFolder(key: string): boolean {
    if (key === "" || key === "/") return true;
    const prefix = `${key}/`;
    for (const path of this.contents.keys()) if (path.startsWith(prefix)) return true;
    return this.root.startsWith(prefix);
  }

  private resolve(path: string): string {
    if (path.includes("\0")) {
      throw new FileError(
        "EINVAL",
        path,
        "A path cannot contain the character NUL. Write it without.",
      );
    }
    let absolute = path.startsWith("/") ? path : `${this.root}/${path}`;
    for (let followed = 0; ; followed++) {
      if (followed > 40)
        throw new FileError("ELOOP", path, "{path} is a link that leads to itself.", { path });
      const parts: string[] = [];
      for (const part of absolute.split("/")) {
        if (part === "..") parts.pop();
        else if (part !== "" && part !== ".") parts.push(part);
      }
      if (this.links.size === 0) return this.relative(parts);
      const linkAt = parts.findIndex((_, i) =>
        this.links.has(this.relative(parts.slice(0, i + 1))),
      );
      if (linkAt < 0) return this.relative(parts);
      const target = this.links.get(this.relative(parts.slice(0, linkAt + 1))) ?? "";
      const base = target.startsWith("/") ? "" : `/${parts.slice(0, linkAt).join("/")}/`;
      absolute = `${base}${target}/${parts.slice(linkAt + 1).join("/")}`;
    }
  }

  private relative(parts: readonly string[]): string {
    const absolute = `/${parts.join("/")}`;
    if (absolute === this.root) return "";
    return absolute.startsWith(`${this.root}/`) ? absolute.slice(this.root.length + 1) : absolute;
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function isAFolder(path: string): FileError {
  return new FileError("EISDIR", path, "{path} is a folder, not a file.", {
    path: path || "The workspace",
  });
}
