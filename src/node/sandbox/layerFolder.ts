import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DirectoryHandle } from "../files/directoryHandle.js";
import { removeAll } from "../files/directoryTree.js";
import { errorCode } from "../files/fileError.js";
import { isMissing } from "../files/realLocation.js";
import { isOrphaned } from "../processes/commandMarker.js";
import { thisProcess } from "../processes/processIdentity.js";

/** A command's own folder outside of the workspace, which contains everything that the command writes. */
export class LayerFolder {
  /** The folder's absolute path. */
  readonly path: string;
  /** A time just before the command began, in nanoseconds by the clock of the file system. */
  readonly since: bigint;
  private readonly keptCaches: string;

  /**
   * Makes the folder.
   *
   * @param data the absolute path of the folder for all commands
   * @param workspace the workspace's absolute path
   * @param marker the command's marker, which tells whose folder this is
   */
  constructor(data: string, workspace: string, marker: string) {
    this.path = join(data, "layers", marker);
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
    for (const name of ["upper", "work", "merged", "caches"]) mkdirSync(join(this.path, name));
    mkdirSync(this.blankFolder, { recursive: true });
    writeFileSync(this.blankFile, "");
    symlinkSync(workspace, join(this.path, "lower"));
    this.since = lstatSync(this.upper, { bigint: true }).ctimeNs;
    const hash = createHash("sha256").update(workspace).digest("hex").slice(0, 32);
    mkdirSync(join(data, "caches"), { recursive: true, mode: 0o700 });
    this.keptCaches = join(data, "caches", hash);
  }

  /** The folder with what the command has written. */
  get upper(): string {
    return join(this.path, "upper");
  }

  /** An empty folder, to be shown in place of another one. */
  get blankFolder(): string {
    return join(this.path, "blank", "folder");
  }

  /** An empty file, to be shown in place of another one. */
  get blankFile(): string {
    return join(this.path, "blank", "file");
  }

  /** The folder that shows the workspace together with what the command has written. */
  get merged(): string {
    return join(this.path, "merged");
  }

  /**
   * Takes the tool caches that earlier commands have kept. While one command has them, another one
   * begins with the user's own caches, and what it adds is dropped.
   */
  takeCaches(): void {
    try {
      renameSync(this.keptCaches, join(this.path, "caches"));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Removes the folder, except for the caches, which are kept for the next command. */
  async discard(): Promise<void> {
    try {
      renameSync(join(this.path, "caches"), this.keptCaches);
    } catch (error) {
      // Another command has put back its caches, or these are back already.
      const code = errorCode(error) ?? "";
      if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(code)) throw error;
    }
    await removeLayer(dirname(this.path), basename(this.path));
  }
}

/** Removes the folders of commands whose host process has ended. */
export async function removeOrphanedLayers(data: string): Promise<void> {
  const me = thisProcess();
  const folder = join(data, "layers");
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names) if (isOrphaned(name, me)) await removeLayer(folder, name);
}

async function removeLayer(folder: string, name: string): Promise<void> {
  const layers = DirectoryHandle.open(folder);
  try {
    await removeAll(layers, name);
  } finally {
    layers.close();
  }
}
