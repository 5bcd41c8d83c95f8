import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, mkdirSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LayerChange } from "../../core/ports/shell.js";
import { errorCode } from "../files/fileError.js";
import { isMissing } from "../files/realLocation.js";
import { scriptWithOwnMounts, type SandboxPrograms } from "./sandboxPrograms.js";
import { takesTurns } from "../files/takesTurns.js";

interface Place {
  /** The workspace's absolute path. */
  readonly root: string;
  /** The absolute path of the command's own folder. */
  readonly layer: string;
  /** The absolute path of the folder with what the command has written. */
  readonly upper: string;
  readonly programs: SandboxPrograms;
}

const run = promisify(execFile);
/** The number of folders that are checked at once: their paths certainly fit on one command line. */
const foldersAtOnce = 200;

/** Returns what a command has written, compared with the workspace as it is now; sorted by path. */
export async function layerChanges(place: Place): Promise<LayerChange[]> {
  const { upper, root } = place;
  const written = await entriesBelow(upper, "", openedNames);
  if (written.length === 0) return [];
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
    for (const gone of await entriesBelow(root, path)) add(changes, gone.path, "removed");
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
  return [...changes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
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

/**
 * Returns everything below a folder of `top`, without the folder itself; folders come before their
 * contents.
 */
async function entriesBelow(
  top: string,
  folder: string,
  namesIn = readableNames,
): Promise<{ readonly path: string; readonly stats: Stats }[]> {
  const found: { path: string; stats: Stats }[] = [];
  const pending = [folder];
  const turn = takesTurns();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const name of namesIn(join(top, next))) {
      await turn();
      const path = next === "" ? name : `${next}/${name}`;
      const stats = statOf(join(top, path));
      if (stats === undefined) continue;
      found.push({ path, stats });
      if (stats.isDirectory()) pending.push(path);
    }
  }
  return found;
}

/** Lists a folder of the layer; one that the command has made unreadable is made readable first. */
function openedNames(folder: string): string[] {
  const { mode } = lstatSync(folder);
  if ((mode & 0o700) !== 0o700) chmodSync(folder, (mode & 0o777) | 0o700);
  return readdirSync(folder);
}

/**
 * Lists a folder; empty if it may not be read, because then the command could not remove its contents
 * either.
 */
function readableNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error) || errorCode(error) === "EACCES") return [];
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
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
