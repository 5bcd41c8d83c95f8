import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  type BigIntStats,
} from "node:fs";
import { copyFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { LayerChange } from "../../core/ports.js";
import { temporaryName } from "../../core/temporaryName.js";
import { syncFolder } from "../durableWrite.js";
import { errorCode } from "../fileError.js";
import { isMissing } from "../realLocation.js";
import { takesTurns } from "./takesTurns.js";

export interface Origin {
  /** The absolute path of what the command has written. */
  readonly upper: string;
  /** When the command had not begun yet, in nanoseconds by the file system's clock. */
  readonly since: bigint;
}

/** A bigger file is copied beside what else goes on. */
const atOnceBytes = 1_000_000;

type Outcome = "done" | "changed" | "failed";

/**
 * Puts changes of a command into the workspace: removals first, from the inside out, then folders,
 * files and links. Every folder on the way is held open and none is a link, so that nothing can lead
 * elsewhere while this goes on. What somebody else has changed since the command began stays as it is.
 *
 * @param root the workspace's absolute path without links
 * @param changes sorted by path
 */
export async function putInPlace(
  root: string,
  changes: readonly LayerChange[],
  origin: Origin,
): Promise<{ path: string; why: "changed" | "failed" }[]> {
  const leftOut: { path: string; why: "changed" | "failed" }[] = [];
  const folders = new HeldFolders(root);
  const turn = takesTurns();
  const put = async (
    change: LayerChange,
    work: (change: LayerChange, target: string, origin: Origin) => Outcome | Promise<Outcome>,
  ): Promise<void> => {
    await turn();
    let outcome: Outcome;
    try {
      const folder = folders.hold(dirname(change.path));
      outcome = await work(change, join(folder, basename(change.path)), origin);
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      outcome = "failed";
    }
    if (outcome !== "done") leftOut.push({ path: change.path, why: outcome });
  };
  try {
    const removals = changes.filter(({ kind }) => kind === "removed");
    for (const change of removals.reverse()) await put(change, remove);
    for (const change of changes) if (change.kind !== "removed") await put(change, write);
  } finally {
    folders.close();
  }
  await syncFolder(root);
  return leftOut.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function remove(_change: LayerChange, target: string, origin: Origin): Outcome {
  const found = statOf(target);
  if (found === undefined) return "done";
  if (!found.isDirectory()) {
    if (isNewer(found, origin)) return "changed";
    unlinkSync(target);
    return "done";
  }
  try {
    rmdirSync(target);
    return "done";
  } catch (error) {
    // Somebody has put something there, or something of it was not to be removed.
    if (["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) return "changed";
    throw error;
  }
}

async function write(change: LayerChange, target: string, origin: Origin): Promise<Outcome> {
  const source = join(origin.upper, change.path);
  const found = statOf(target);
  if (change.kind === "folder") {
    if (found !== undefined && !found.isDirectory()) {
      if (isNewer(found, origin)) return "changed";
      unlinkSync(target);
    }
    if (found?.isDirectory() !== true) mkdirSync(target);
    chmodSync(target, permissions(lstatSync(source).mode));
    return "done";
  }
  if (found?.isDirectory() === true) rmdirSync(target);
  else if (found !== undefined && isNewer(found, origin)) return "changed";
  const random = randomBytes(6).toString("hex");
  const temporary = join(dirname(target), temporaryName(basename(target), random));
  try {
    if (change.kind === "link") {
      symlinkSync(readlinkSync(source), temporary);
    } else {
      const { mode, size, atime, mtime } = lstatSync(source);
      const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE;
      if (size > atOnceBytes) await copyFile(source, temporary, flags);
      else copyFileSync(source, temporary, flags);
      // Tools compare times. Who owns the file runs it: never a file that lends its owner's rights.
      chmodSync(temporary, permissions(mode));
      utimesSync(temporary, atime, mtime);
    }
    const now = statOf(target);
    if (now !== undefined && isNewer(now, origin)) {
      unlinkSync(temporary);
      return "changed";
    }
    renameSync(temporary, target);
    return "done";
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
}

function permissions(mode: number): number {
  return mode & 0o777;
}

function isNewer(found: BigIntStats, { since }: Origin): boolean {
  return found.ctimeNs > since;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Folders of the workspace, held open from the root down to the one that is worked in. */
class HeldFolders {
  private readonly chain: { readonly path: string; readonly descriptor: number }[] = [];

  constructor(private readonly root: string) {}

  /**
   * Answers with another name of the folder, which leads there whatever happens to its path, until
   * another folder is held. Throws the system's error where the folder is missing or a part of its
   * path is a link.
   *
   * @param folder below the root; `.` is the root itself
   */
  hold(folder: string): string {
    const names = folder === "." ? [] : folder.split("/");
    const wanted = ["", ...names.map((_, index) => names.slice(0, index + 1).join("/"))];
    let common = 0;
    while (common < wanted.length && this.chain[common]?.path === wanted[common]) common++;
    this.release(common);
    for (const path of wanted.slice(common)) {
      const above = this.chain.at(-1);
      const way = above === undefined ? this.root : join(nameOf(above.descriptor), basename(path));
      const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
      this.chain.push({ path, descriptor: openSync(way, flags) });
    }
    return nameOf(this.chain[wanted.length - 1]?.descriptor ?? -1);
  }

  close(): void {
    this.release(0);
  }

  private release(from: number): void {
    for (const { descriptor } of this.chain.splice(from)) closeSync(descriptor);
  }
}

function nameOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`;
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It was not even made.
  }
}
