import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readlinkSync, type Stats } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LayerChange, LayerLeft } from "../../core/ports/shell.js";
import { errorCode } from "../files/fileError.js";
import { folderNames } from "../files/folderNames.js";
import { isMissing } from "../files/realLocation.js";
import { takesTurns } from "../files/takesTurns.js";
import type { SandboxLimits } from "./sandboxLimits.js";
import { scriptWithOwnMounts, type SandboxPrograms } from "./sandboxPrograms.js";

interface Place {
  /** The workspace's absolute path. */
  readonly root: string;
  /** The absolute path of the command's own folder. */
  readonly layer: string;
  /** The absolute path of the folder with what the command has written. */
  readonly upper: string;
  readonly programs: SandboxPrograms;
  readonly limits: Pick<SandboxLimits, "layerBytes" | "layerFiles">;
}

const run = promisify(execFile);
/** The number of folders that are checked at once: their paths certainly fit on one command line. */
const foldersAtOnce = 200;
/** Bytes of a path that the system takes, on Linux. */
const systemPath = 4095;

/** What a command has changed, as {@link SandboxLayer} has it. */
interface Found {
  readonly changes: LayerChange[];
  readonly left: LayerLeft[];
}

/**
 * Returns what a command has written, compared with the workspace as it is now; sorted by path. Of more than a command may
 * write, the first are returned, and no removals: what was moved would be lost.
 */
export async function layerChanges(place: Place): Promise<Found> {
  const { upper, root, limits } = place;
  const left: LayerLeft[] = [];
  const bounds = { longest: longestPath(place), most: limits.layerFiles };
  const written = await entriesBelow(upper, "", { left, ...bounds, opens: true });
  if (written.length === 0) return { changes: [], left };
  const below = new Map<string, Stats>();
  const turn = takesTurns();
  for (const { path } of written) {
    await turn();
    const stats = statOf(join(root, path));
    if (stats !== undefined) below.set(path, stats);
  }
  const mergedFolders = written
    .filter(({ path, stats }) => stats.isDirectory() && below.get(path)?.isDirectory() === true)
    .map(({ path }) => path);
  const emptied = await emptiedFolders(place, mergedFolders);
  const changes = new Map<string, LayerChange>();
  const removed = async (path: string): Promise<void> => {
    const gone = await entriesBelow(root, path, { left, ...bounds, opens: false });
    for (const one of gone) add(changes, one.path, "removed");
  };
  // Folders come first, so that what was written in an emptied one replaces its removal.
  for (const { path, stats } of written) {
    const before = below.get(path);
    if (isWhiteout(stats)) {
      if (before === undefined) continue;
      add(changes, path, "removed");
      if (before.isDirectory()) await removed(path);
    } else if (stats.isDirectory()) {
      if (emptied.has(path)) await removed(path);
      const isSame = before?.isDirectory() === true && before.mode === stats.mode;
      if (!isSame) add(changes, path, "folder");
      else if (changes.get(path)?.kind === "removed") changes.delete(path);
    } else {
      if (before?.isDirectory() === true) await removed(path);
      if (stats.isSymbolicLink()) {
        const target = readlinkSync(join(upper, path));
        changes.set(path, { path, kind: "link", size: 0, target });
      } else if (stats.isFile()) add(changes, path, "file", stats.size);
      // Anything else, such as a socket, is useless without the process that made it.
      else if (before !== undefined) add(changes, path, "removed");
    }
  }
  const all = [...changes.values()].sort(byPath);
  const kept = withinDiskSpace(all, left, limits.layerBytes);
  return { changes: kept, left: left.sort(byPath) };
}

function byPath(one: { readonly path: string }, other: { readonly path: string }): number {
  return one.path < other.path ? -1 : 1;
}

/**
 * Returns the changes that a command may make. Sizes count, and not the disk space that the files take in the layer: holes
 * and second names of a file have none there, and what reads or copies the files has to do with all of it.
 *
 * @param left where the others are added
 */
function withinDiskSpace(
  changes: readonly LayerChange[],
  left: LayerLeft[],
  layerBytes: number,
): LayerChange[] {
  let bytes = 0;
  const tooMuch = new Set<LayerChange>();
  for (const change of changes) {
    if (bytes + change.size > layerBytes) tooMuch.add(change);
    else bytes += change.size;
  }
  const isCut = tooMuch.size > 0 || left.some(({ why }) => why === "tooMany");
  if (!isCut) return [...changes];
  for (const change of changes) if (change.kind === "removed") tooMuch.add(change);
  for (const { path } of tooMuch) left.push({ path, why: "tooMuch" });
  return changes.filter((change) => !tooMuch.has(change));
}

/**
 * Returns the most bytes of a path in the workspace with which each path that is made of it, such as that of a mark, is one
 * that the system can read.
 */
function longestPath({ root, layer }: Place): number {
  return systemPath - Math.max(Buffer.byteLength(root), Buffer.byteLength(layer)) - 100;
}

function add(
  changes: Map<string, LayerChange>,
  path: string,
  kind: LayerChange["kind"],
  size = 0,
): void {
  changes.set(path, { path, kind, size });
}

/** Returns whether the entry of an upper folder is the special file that marks what is below as removed. */
function isWhiteout(stats: Stats): boolean {
  return stats.isCharacterDevice() && stats.rdev === 0;
}

interface Walk {
  /** Where what cannot be named, or is too much, is added. */
  readonly left: LayerLeft[];
  /** The most bytes of a path. */
  readonly longest: number;
  /** The most entries. */
  readonly most: number;
  /** Whether folders that may not be read are made readable; otherwise they are taken as empty. */
  readonly opens: boolean;
}

/**
 * Returns everything below a folder of `top`, without the folder itself; folders come before their
 * contents.
 */
async function entriesBelow(
  top: string,
  folder: string,
  { left, longest, most, opens }: Walk,
): Promise<{ readonly path: string; readonly stats: Stats }[]> {
  const found: { path: string; stats: Stats }[] = [];
  const pending = [folder];
  const turn = takesTurns();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const at = next === "" ? "" : `${next}/`;
    const { names, notUtf8 } = opens
      ? openedNames(join(top, next))
      : readableNames(join(top, next));
    for (const name of notUtf8) left.push({ path: at + name, why: "notUtf8" });
    for (const name of names) {
      await turn();
      if (found.length === most) {
        left.push({ path: next === "" ? "." : next, why: "tooMany" });
        return found;
      }
      const path = at + name;
      if (Buffer.byteLength(path) > longest) {
        left.push({ path, why: "tooLong" });
        continue;
      }
      const stats = statOf(join(top, path));
      if (stats === undefined) continue;
      found.push({ path, stats });
      if (stats.isDirectory()) pending.push(path);
    }
  }
  return found;
}

type Names = ReturnType<typeof folderNames>;

/** Lists a folder of the layer; one that the command has made unreadable is made readable first. */
function openedNames(folder: string): Names {
  const { mode } = lstatSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o777) | 0o700);
  return folderNames(folder);
}

/**
 * Lists a folder; empty if it may not be read, because then the command could not remove its contents
 * either.
 */
function readableNames(folder: string): Names {
  try {
    return folderNames(folder);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "EACCES") return { names: [], notUtf8: [] };
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    // What was in a folder that only the command's layer has opened cannot be compared.
    if (isMissing(error) || errorCode(error) === "EACCES") return undefined;
    throw error;
  }
}

/**
 * Returns those of the folders that the command had removed before it made them anew, so that nothing
 * of the workspace shows in them. Only an extended attribute tells this, which Node cannot read. So the
 * written folder is laid over one in which each folder holds a mark; where the mark does not show, the
 * folder hides what is below.
 */
async function emptiedFolders(
  { layer, programs }: Place,
  folders: readonly string[],
): Promise<ReadonlySet<string>> {
  const emptied = new Set<string>();
  if (folders.length === 0) return emptied;
  const mark = `mark-${randomBytes(16).toString("hex")}`;
  const marks = join(layer, "marks");
  for (const folder of folders) mkdirSync(join(marks, folder, mark), { recursive: true });
  for (let start = 0; start < folders.length; start += foldersAtOnce) {
    const some = folders.slice(start, start + foldersAtOnce);
    const { stdout } = await run(
      programs.unshare,
      [...scriptWithOwnMounts, showHidden, programs.mount, mark, ...some],
      { cwd: layer, maxBuffer: 1024 * foldersAtOnce },
    );
    for (const index of stdout.split("\n").filter((line) => line !== "")) {
      const folder = some[Number(index)];
      if (folder !== undefined) emptied.add(folder);
    }
  }
  await rm(marks, { recursive: true });
  return emptied;
}

const showHidden = `
"$0" -t overlay overlay -o ro,lowerdir=upper:marks,userxattr merged || exit 1
mark=$1
shift
index=0
for folder do
  [ -e "merged/$folder/$mark" ] || echo $index
  index=$((index + 1))
done
`;
