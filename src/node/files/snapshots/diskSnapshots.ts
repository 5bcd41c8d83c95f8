import { createHash } from "node:crypto";
import { type BigIntStats, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { FileError } from "../../../core/errors.js";
import type { Snapshot, SnapshotChange, Snapshots } from "../../../core/ports/snapshots.js";
import { isOrphaned, newCommandMarker } from "../../processes/commandMarker.js";
import { thisProcess } from "../../processes/processIdentity.js";
import { DirectoryHandle } from "../directoryHandle.js";
import { durablyCreate } from "../durableWrite.js";
import { fileError } from "../fileError.js";
import { readSmallFileNow } from "../openForReading.js";
import { isMissing } from "../realLocation.js";
import { takesTurns } from "../takesTurns.js";
import { ContentPack, PackReader } from "./contentPack.js";
import { type IndexEntry, indexText, parseIndex, type SnapshotIndex } from "./snapshotIndex.js";

/** Bytes. The contents of bigger files are not kept. */
const mostOfFile = 50_000_000;
/** Bytes of an index. */
const largestIndex = 500_000_000;
/** Bytes of contents that are not needed any more, at which a new folder replaces the one in use. */
const mostUnneeded = 500_000_000;
/** Milliseconds after which a snapshot that nobody has asked for is dropped. */
const longestLeft = 30 * 24 * 3_600_000;
/** Nanoseconds; a file that was written so shortly before may be written again within the same time stamp. */
const settledNs = 50_000_000n;

const latestIndex = "latest.json";

/**
 * Snapshots as files in the user's own folder. A file's content is kept once, for as long as the file stays as
 * it is: a later snapshot only looks at its size, times and mode.
 *
 * The folder of a workspace has folders `1`, `2` …, of which the last one is in use. Each has files of contents
 * (`MARKER.pack`), the index of each snapshot that was not discarded (`MARKER.json`), and that of the last one
 * which was (`latest.json`).
 */
export class DiskSnapshots implements Snapshots {
  readonly #folder: string;
  #latest: { readonly folder: string; readonly entries: SnapshotIndex["entries"] } | undefined;

  /**
   * @param root the workspace's absolute path
   * @param data the absolute path of the folder for the snapshots of all workspaces, outside of them
   */
  constructor(
    private readonly root: string,
    data: string,
  ) {
    const hash = createHash("sha256").update(root).digest("hex").slice(0, 32);
    this.#folder = join(data, hash);
  }

  async take(owner: string, paths: readonly string[]): Promise<Snapshot> {
    return this.#doing(async () => {
      const { folder, entries: known } = (this.#latest ??= this.#begin());
      const marker = newCommandMarker();
      const takenAt = Date.now();
      const handle = DirectoryHandle.open(folder);
      try {
        const pack = new ContentPack(handle, `${marker}.pack`);
        const entries = await this.#entriesOf(paths, known, pack, folder);
        const index = { owner, takenAt, entries };
        await durablyCreate(handle, `${marker}.json`, Buffer.from(indexText(index)));
        this.#latest = { folder, entries };
        return new DiskSnapshot(this.root, folder, marker, index);
      } finally {
        handle.close();
      }
    });
  }

  async left(owner: string): Promise<readonly Snapshot[]> {
    return this.#doing(() => {
      const found: Snapshot[] = [];
      for (const folder of this.#generations()) {
        for (const marker of markersIn(folder)) {
          if (!isOrphaned(marker, thisProcess())) continue;
          const index = readIndex(join(folder, `${marker}.json`));
          if (index?.owner === owner) {
            found.push(new DiskSnapshot(this.root, folder, marker, index));
          }
        }
      }
      return Promise.resolve(found);
    });
  }

  async #entriesOf(
    paths: readonly string[],
    known: SnapshotIndex["entries"],
    pack: ContentPack,
    folder: string,
  ): Promise<Map<string, IndexEntry>> {
    const entries = new Map<string, IndexEntry>();
    const reader = new PackReader(folder);
    const turn = takesTurns();
    try {
      for (const path of paths) {
        await turn();
        const stats = statOf(join(this.root, path));
        if (stats?.isFile() !== true) continue;
        const before = known.get(path);
        const same = before !== undefined && before.stamp !== "" && before.stamp === stampOf(stats);
        const now = { stamp: settledStamp(stats), size: Number(stats.size), mode: modeOf(stats) };
        if (same) entries.set(path, { ...before, mode: now.mode });
        else if (stats.size > mostOfFile) entries.set(path, now);
        else {
          const content = contentOf(join(this.root, path));
          if (content === undefined) continue;
          const again = before?.kept !== undefined && isIn(reader, before, content);
          const kept = again ? before.kept : { pack: pack.name, offset: await pack.add(content) };
          entries.set(path, { ...now, size: content.length, kept });
        }
      }
    } finally {
      reader.close();
      await pack.close();
    }
    return entries;
  }

  /** Finds what earlier processes have kept, or begins a new folder. */
  #begin(): { folder: string; entries: SnapshotIndex["entries"] } {
    const generations = this.#generations();
    for (const old of generations.slice(0, -1)) removeGeneration(old);
    const last = generations.at(-1);
    const index = last === undefined ? undefined : readIndex(join(last, latestIndex));
    if (last !== undefined && index !== undefined && unneededIn(last, index) <= mostUnneeded) {
      return { folder: last, entries: index.entries };
    }
    const number = last === undefined ? 0 : Number(basename(last));
    const folder = join(this.#folder, String(number + 1));
    // Others must not read what is kept, nor see the names of the files.
    DirectoryHandle.openOrMakeNow(folder).close();
    return { folder: realpathSync.native(folder), entries: new Map() };
  }

  /** Returns the absolute paths of the folders, the one in use last. */
  #generations(): string[] {
    const real = existing(() => realpathSync.native(this.#folder));
    if (real === undefined) return [];
    return readdirSync(real)
      .filter((name) => /^[1-9]\d*$/.test(name))
      .sort((a, b) => Number(a) - Number(b))
      .map((name) => join(real, name));
  }

  async #doing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw fileError(error, this.#folder, "use");
    }
  }
}

class DiskSnapshot implements Snapshot {
  constructor(
    private readonly root: string,
    private readonly folder: string,
    private readonly marker: string,
    private readonly index: SnapshotIndex,
  ) {}

  get takenAt(): number {
    return this.index.takenAt;
  }

  async changes(paths: readonly string[]): Promise<readonly SnapshotChange[]> {
    const { entries } = this.index;
    const reader = new PackReader(this.folder);
    const turn = takesTurns();
    const found: SnapshotChange[] = [];
    try {
      for (const [path, entry] of entries) {
        await turn();
        if (!this.#isChanged(path, entry, reader)) continue;
        const unkept = entry.kept === undefined && ({ notKept: "tooBig" } as const);
        found.push({ path, before: { mode: entry.mode, ...unkept } });
      }
      const isIgnoring = found.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
      // The index was written just after the files were looked at, and has its time from the same clock as they.
      const takenAt = statOf(join(this.folder, `${this.marker}.json`))?.mtimeNs ?? 0n;
      for (const path of paths) {
        if (entries.has(path)) continue;
        await turn();
        const stats = statOf(join(this.root, path));
        if (stats?.isFile() !== true) continue;
        // With other rules, a file that was ignored looks like a new one. The clock of the files goes in steps of
        // milliseconds: in the snapshot's own step, a file counts as old, so that nobody's file is removed by an undo.
        const isOld = isIgnoring && stats.birthtimeNs <= takenAt;
        found.push({ path, ...(isOld && { before: { notKept: "ignored" as const } }) });
      }
    } finally {
      reader.close();
    }
    return found.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  read(path: string): Promise<Uint8Array> {
    const entry = this.index.entries.get(path);
    const reader = new PackReader(this.folder);
    try {
      if (entry?.kept === undefined) throw new Error(`${path} is not in the snapshot`);
      return Promise.resolve(reader.read(entry.kept.pack, entry.kept.offset, entry.size));
    } catch {
      return Promise.reject(
        new FileError(
          "ESNAPSHOT",
          path,
          "What {path} was cannot be read any more. Restore it from a backup or from git.",
          { path },
        ),
      );
    } finally {
      reader.close();
    }
  }

  async discard(): Promise<void> {
    const handle = DirectoryHandle.open(this.folder);
    try {
      await handle.move(`${this.marker}.json`, latestIndex);
    } catch (error) {
      // Another process has settled and discarded it.
      if (!isMissing(error)) throw fileError(error, this.folder, "write");
    } finally {
      handle.close();
    }
  }

  /** Returns whether a file has changed since the snapshot; in doubt, it counts as changed. */
  #isChanged(path: string, entry: IndexEntry, reader: PackReader): boolean {
    const absolute = join(this.root, path);
    const stats = statOf(absolute);
    if (stats?.isFile() !== true || modeOf(stats) !== entry.mode) return true;
    if (entry.stamp !== "" && entry.stamp === stampOf(stats)) return false;
    if (entry.kept === undefined || Number(stats.size) !== entry.size) return true;
    const content = contentOf(absolute);
    return content === undefined || !isIn(reader, entry, content);
  }
}

/** Returns whether a kept content is this one. */
function isIn(reader: PackReader, { kept, size }: IndexEntry, content: Buffer): boolean {
  if (kept === undefined || size !== content.length) return false;
  try {
    return reader.read(kept.pack, kept.offset, size).equals(content);
  } catch {
    return false;
  }
}

function markersIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json") && name !== latestIndex)
    .map((name) => name.slice(0, -".json".length));
}

function readIndex(file: string): SnapshotIndex | undefined {
  const bytes = existing(() => readSmallFileNow(file, largestIndex, { follow: false }));
  return bytes === undefined ? undefined : parseIndex(bytes.toString());
}

/** Returns the bytes of the contents in a folder that its index does not name. */
function unneededIn(folder: string, { entries }: SnapshotIndex): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".pack")) bytes += statSync(join(folder, name)).size;
  }
  for (const { kept, size } of entries.values()) if (kept !== undefined) bytes -= size;
  return bytes;
}

/** Removes a folder that is not in use any more, unless a snapshot in it may still be asked for. */
function removeGeneration(folder: string): void {
  const isWanted = (marker: string) =>
    Date.now() - statSync(join(folder, `${marker}.json`)).mtimeMs < longestLeft;
  if (markersIn(folder).some(isWanted)) return;
  const handle = DirectoryHandle.open(folder);
  try {
    for (const name of readdirSync(folder)) handle.removeNow(name);
  } finally {
    handle.close();
  }
  const above = DirectoryHandle.open(join(folder, ".."));
  try {
    above.removeFolderNow(basename(folder));
  } finally {
    above.close();
  }
}

function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].map((part) => part.toString(36)).join(" ");
}

function settledStamp(stats: BigIntStats): string {
  const isSettled = BigInt(Date.now()) * 1_000_000n - stats.ctimeNs > settledNs;
  return isSettled ? stampOf(stats) : "";
}

function modeOf({ mode }: BigIntStats): number {
  return Number(mode) & 0o777;
}

function statOf(absolute: string): BigIntStats | undefined {
  return existing(() => lstatSync(absolute, { bigint: true }));
}

/** Returns a file's content; `undefined` if it is gone or no file by now, or may not be read. */
function contentOf(absolute: string): Buffer | undefined {
  try {
    return readSmallFileNow(absolute, mostOfFile, { follow: false });
  } catch {
    return undefined;
  }
}

function existing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
