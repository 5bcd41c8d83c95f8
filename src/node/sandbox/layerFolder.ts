import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  type Dirent,
} from "node:fs";
import { readdir } from "node:fs/promises";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { isOrphaned } from "../processes/commandMarker.js";
import { errorCode } from "../files/fileError.js";
import { isMissing } from "../files/realLocation.js";
import { thisProcess } from "../processes/processIdentity.js";
import { takesTurns } from "../files/takesTurns.js";

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
    if (existsSync(this.path)) await removeTree(this.path);
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
  for (const name of names) if (isOrphaned(name, me)) await removeTree(join(folder, name));
}

/** Removes a folder, even if it contains folders that their owner may not read. */
async function removeTree(top: string): Promise<void> {
  const turn = takesTurns();
  const folders = [top];
  // Each folder is found before those in it, and is empty when those are gone.
  for (const folder of folders) {
    await turn();
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else unlinkSync(path);
    }
  }
  for (const folder of folders.reverse()) {
    await turn();
    rmdirSync(folder);
  }
}

function entriesOf(folder: string): Dirent[] {
  if ((lstatSync(folder).mode & 0o700) !== 0o700) chmodSync(folder, 0o700);
  return readdirSync(folder, { withFileTypes: true });
}
