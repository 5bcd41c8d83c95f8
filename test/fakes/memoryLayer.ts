import type { LayerChange, LayerLeft, SandboxLayer } from "../../src/core/ports/shell.js";
import type { MemoryFileSystem } from "./memoryFileSystem.js";

/** The thing that a command made of one path: a file's text, a link's target, a folder, or nothing. */
export type Made =
  | string
  | { readonly link: string }
  | { readonly folder: true }
  | { readonly removed: true };

/** The changes of a command in a fake sandbox, by path; puts them into a {@link MemoryFileSystem}. */
export class MemoryLayer implements SandboxLayer {
  readonly changes: readonly LayerChange[];
  /** What cannot be applied at all. */
  left: readonly LayerLeft[] = [];
  /** Paths that were put into the workspace, in order. */
  readonly applied: string[] = [];
  isDiscarded = false;
  /** Files that somebody else changes while the command runs, or that cannot be written. */
  readonly troubles = new Map<string, "changed" | "failed">();

  constructor(
    private readonly files: MemoryFileSystem,
    private readonly made: Readonly<Record<string, Made>>,
  ) {
    this.changes = Object.entries(made)
      .map(([path, what]) => changeOf(path, what))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  read({ path }: LayerChange): Promise<Uint8Array> {
    const what = this.made[path];
    return Promise.resolve(new TextEncoder().encode(typeof what === "string" ? what : ""));
  }

  async apply(changes: readonly LayerChange[]) {
    const left: { path: string; why: "changed" | "failed" }[] = [];
    const removals = changes.filter(({ kind }) => kind === "removed").reverse();
    const others = changes.filter(({ kind }) => kind !== "removed");
    for (const change of [...removals, ...others]) {
      const { path, kind } = change;
      const why = this.troubles.get(path);
      if (why !== undefined) left.push({ path, why });
      else {
        this.applied.push(path);
        if (kind === "file") this.files.put(path, await this.read(change));
        if (kind === "link") this.files.link(path, change.target ?? "");
        if (kind === "removed" && (await this.files.stat(path))?.kind === "file") {
          await this.files.removeFile(path);
        }
      }
    }
    return left;
  }

  discard(): Promise<void> {
    this.isDiscarded = true;
    return Promise.resolve();
  }
}

function changeOf(path: string, what: Made): LayerChange {
  if (typeof what === "string") return { path, kind: "file", size: what.length };
  if ("link" in what) return { path, kind: "link", size: 0, target: what.link };
  return { path, kind: "folder" in what ? "folder" : "removed", size: 0 };
}
