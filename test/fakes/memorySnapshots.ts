import type { Snapshot, SnapshotChange, Snapshots } from "../../src/core/ports/snapshots.js";
import { sameBytes } from "../../src/core/text/textFile.js";
import type { MemoryFileSystem } from "./memoryFileSystem.js";

interface Taken {
  readonly owner: string;
  readonly takenAt: number;
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly mode: number }>;
  /** The files that were there besides, because they were ignored. */
  readonly ignored: ReadonlySet<string>;
}

/** Snapshots of a {@link MemoryFileSystem}. They outlive the process that took them, as on a disk. */
export class MemorySnapshots implements Snapshots {
  readonly #taken = new Set<Taken>();
  /** Files with more bytes are not kept. */
  mostOfFile = Infinity;

  constructor(private readonly files: MemoryFileSystem) {}

  async take(owner: string, paths: readonly string[]): Promise<Snapshot> {
    const files = new Map<string, { bytes: Uint8Array; mode: number }>();
    for (const path of paths) {
      const [bytes, stat] = [await this.files.readFile(path), await this.files.stat(path)];
      if (bytes !== undefined) files.set(path, { bytes, mode: stat?.mode ?? 0 });
    }
    const ignored = new Set(this.files.paths.filter((path) => !files.has(path)));
    const taken = { owner, takenAt: await this.#now(), files, ignored };
    this.#taken.add(taken);
    return this.#snapshot(taken);
  }

  /** Returns all snapshots of an owner: each counts as that of a process which has ended. */
  left(owner: string): Promise<readonly Snapshot[]> {
    const left = [...this.#taken].filter((taken) => taken.owner === owner);
    return Promise.resolve(left.map((taken) => this.#snapshot(taken)));
  }

  /** Returns the time of the next write, by the clock of the files. */
  async #now(): Promise<number> {
    this.files.put("/clock", "");
    return ((await this.files.stat("/clock"))?.modifiedAt ?? 0) + 1;
  }

  #snapshot(taken: Taken): Snapshot {
    return {
      takenAt: taken.takenAt,
      changes: async (paths) => {
        const found: SnapshotChange[] = [];
        for (const [path, { bytes, mode }] of taken.files) {
          const [now, stat] = [await this.files.readFile(path), await this.files.stat(path)];
          if (now !== undefined && sameBytes(now, bytes) && stat?.mode === mode) continue;
          const unkept = bytes.length > this.mostOfFile && ({ notKept: "tooBig" } as const);
          found.push({ path, before: { mode, ...unkept } });
        }
        for (const path of paths) {
          if (taken.files.has(path)) continue;
          const before = taken.ignored.has(path) && { before: { notKept: "ignored" as const } };
          found.push({ path, ...before });
        }
        return found.sort((a, b) => (a.path < b.path ? -1 : 1));
      },
      read: (path) => Promise.resolve(taken.files.get(path)!.bytes),
      discard: () => {
        this.#taken.delete(taken);
        return Promise.resolve();
      },
    };
  }
}
