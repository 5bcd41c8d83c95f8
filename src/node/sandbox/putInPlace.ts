import { type BigIntStats, lstatSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { LayerChange } from "../../core/ports/shell.js";
import { copySparse, isSparse } from "../files/copySparse.js";
import { DirectoryHandle } from "../files/directoryHandle.js";
import { errorCode, LeadsElsewhere } from "../files/fileError.js";
import { takesTurns } from "../files/takesTurns.js";
import { newTemporaryName } from "../files/temporaryFiles.js";

export interface Origin {
  /** The absolute path of the folder with what the command has written. */
  readonly upper: string;
  /** A time just before the command began, in nanoseconds by the clock of the file system. */
  readonly since: bigint;
}

type Outcome = "done" | "changed" | "failed";

/**
 * Applies a command's changes to the workspace: removals first, from the inside out, then folders,
 * files and links. Every folder of a path is held open and none is a link, so that nothing can lead
 * elsewhere meanwhile. A file that was changed by others since the command began stays as it is.
 *
 * @param root the workspace's absolute path without links
 * @param changes sorted by path
 * @returns the changes that were not applied, sorted by path
 */
export async function putInPlace(
  root: string,
  changes: readonly LayerChange[],
  origin: Origin,
): Promise<{ path: string; why: "changed" | "failed" }[]> {
  const leftOut: { path: string; why: "changed" | "failed" }[] = [];
  const turn = takesTurns();
  let current: { readonly path: string; readonly folder: DirectoryHandle } | undefined;
  const hold = (path: string): DirectoryHandle => {
    if (current?.path === path) return current.folder;
    current?.folder.close();
    current = undefined;
    current = { path, folder: DirectoryHandle.open(join(root, path)) };
    return current.folder;
  };
  const put = async (change: LayerChange, work: Work): Promise<void> => {
    await turn();
    let outcome: Outcome;
    try {
      outcome = await work(change, hold(dirname(change.path)), basename(change.path), origin);
    } catch (error) {
      if (errorCode(error) === undefined && !(error instanceof LeadsElsewhere)) throw error;
      outcome = "failed";
    }
    if (outcome !== "done") leftOut.push({ path: change.path, why: outcome });
  };
  try {
    const removals = changes.filter(({ kind }) => kind === "removed");
    for (const change of removals.reverse()) await put(change, remove);
    for (const change of changes) if (change.kind !== "removed") await put(change, write);
    await hold(".").sync();
  } finally {
    current?.folder.close();
  }
  return leftOut.sort((a, b) => (a.path < b.path ? -1 : 1));
}

type Work = (
  change: LayerChange,
  folder: DirectoryHandle,
  name: string,
  origin: Origin,
) => Outcome | Promise<Outcome>;

function remove(_: LayerChange, folder: DirectoryHandle, name: string, origin: Origin): Outcome {
  const found = folder.lookExactly(name);
  if (found === undefined) return "done";
  if (!found.isDirectory()) {
    if (isNewer(found, origin)) return "changed";
    folder.removeNow(name);
    return "done";
  }
  try {
    folder.removeFolderNow(name);
    return "done";
  } catch (error) {
    // Something was added there, or some of the contents were not to be removed.
    if (["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) return "changed";
    throw error;
  }
}

async function write(
  change: LayerChange,
  folder: DirectoryHandle,
  name: string,
  origin: Origin,
): Promise<Outcome> {
  const source = join(origin.upper, change.path);
  const found = folder.lookExactly(name);
  if (change.kind === "folder") {
    if (found !== undefined && !found.isDirectory()) {
      if (isNewer(found, origin)) return "changed";
      folder.removeNow(name);
    }
    if (found?.isDirectory() !== true) folder.makeFolderNow(name);
    folder.setModeNow(name, permissions(source));
    return "done";
  }
  if (found?.isDirectory() === true) folder.removeFolderNow(name);
  else if (found !== undefined && isNewer(found, origin)) return "changed";
  const temporary = newTemporaryName(name);
  try {
    if (change.kind === "link") folder.makeLinkNow(temporary, readlinkSync(source));
    else await copy(source, folder, temporary);
    const now = folder.lookExactly(name);
    if (now !== undefined && isNewer(now, origin)) {
      folder.removeNow(temporary);
      return "changed";
    }
    folder.moveNow(temporary, name);
    return "done";
  } catch (error) {
    if (folder.look(temporary) !== undefined) folder.removeNow(temporary);
    throw error;
  }
}

function copy(source: string, folder: DirectoryHandle, name: string): Promise<void> {
  const found = lstatSync(source);
  const mode = permissions(source);
  return isSparse(found) ? copySparse(source, folder, name, mode) : folder.copy(source, name, mode);
}

/** Returns a file's permission bits, without those that would let it run with its owner's rights. */
function permissions(source: string): number {
  return lstatSync(source).mode & 0o777;
}

function isNewer(found: BigIntStats, { since }: Origin): boolean {
  return found.ctimeNs > since;
}
