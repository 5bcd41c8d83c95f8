import { protection } from "../access/protectedFiles.js";
import { isUserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { type FileLeft, mostOfNewFile, type NotCarried } from "../ports/worktrees.js";
import { sameBytes } from "../text/textFile.js";
import { isKeptByCode, isOwn } from "./mode.js";

/** The most bytes, and files, of one task's folder that are carried from one place to another. */
export const mostBytes = 100_000_000;
export const mostFiles = 2_000;

/** Errors that say that something else is where a file or one of its folders is to be. */
const inTheWay: ReadonlySet<string> = new Set(["ENOTDIR", "EISDIR", "EEXIST"]);

/** A file, or what stands where one could, below a task's folder. */
export interface FolderEntry {
  /** As in `.rooroo/tasks/ID/notes/a.md`; it may come from outside. */
  readonly path: string;
  /** `other`: a link, or a repository of its own. */
  readonly kind: "file" | "other";
  readonly bytes: number;
}

/** A file that a task on another machine has left in its folder. */
export interface SentFile extends FolderEntry {
  readonly isExecutable: boolean;
  /** Reads its content, of {@link bytes} bytes. */
  read(): Promise<Uint8Array>;
}

/** Returns whether an expert may have put this file into its task's folder. */
export function isArtifact(path: string, folder: string): boolean {
  return isOwn("ownTaskFolder", path, folder) && !isProtectedArtifact(path);
}

function isProtectedArtifact(path: string): boolean {
  return protection(path.replace(/^\.rooroo\//i, "")) !== undefined;
}

/**
 * Returns which of the files that experts have put into a task's folder go to another machine, and which are left. It is
 * the same wherever it is asked, whatever the order. What code keeps is in neither list.
 */
export function chosenArtifacts<T extends FolderEntry>(
  entries: readonly T[],
  folder: string,
): { readonly sent: readonly T[]; readonly left: readonly FileLeft[] } {
  const sent: T[] = [];
  const left: FileLeft[] = [];
  let total = 0;
  const whyNot = ({ path, kind, bytes }: T): NotCarried | undefined => {
    if (!isBelow(path, folder)) return "outside";
    if (kind !== "file") return "link";
    if (isProtectedArtifact(path)) return "protected";
    if (bytes > mostOfNewFile) return "tooBig";
    return sent.length === mostFiles || total + bytes > mostBytes ? "tooMuch" : undefined;
  };
  for (const entry of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, bytes } = entry;
    if (isKeptByCode(path)) continue;
    const why = whyNot(entry);
    if (why === undefined) {
      sent.push(entry);
      total += bytes;
    } else left.push({ path, why, bytes });
  }
  return { sent, left };
}

/** Returns whether a path, taken literally, is below a folder and takes no way round. */
function isBelow(path: string, folder: string): boolean {
  const steps = path.slice(folder.length + 1).split("/");
  return path.startsWith(`${folder}/`) && steps.every((step) => !["", ".", ".."].includes(step));
}

/**
 * Writes what a task on another machine has left in its folder into the task's folder here. Nothing that is there is
 * changed, so that it can be done again.
 *
 * @param given as another machine says
 * @param folder as in `.rooroo/tasks/ID`
 * @returns those that were not written
 */
export async function receiveArtifacts(
  given: readonly SentFile[],
  folder: string,
  files: FileSystem,
): Promise<readonly FileLeft[]> {
  const { sent, left } = chosenArtifacts(given, folder);
  const taken: FileLeft[] = [];
  for (const file of sent) {
    const { path, bytes } = file;
    if (!(await receive(file, files))) taken.push({ path, why: "taken", bytes });
  }
  return [...left, ...taken];
}

/** Returns whether the file is there afterwards as it was sent. */
async function receive(file: SentFile, files: FileSystem): Promise<boolean> {
  const { path, isExecutable } = file;
  const content = await file.read();
  try {
    // A link on the way leads elsewhere, and a file can be where a folder is needed.
    if ((await files.locate(path)).path !== path) return false;
    if (!(await files.createFile(path, content, { located: true }))) {
      const found = await files.readLocated(path, content.length);
      const isSame = found?.bytes !== undefined && sameBytes(found.bytes, content);
      if (!isSame || found.location.path !== path) return false;
    }
    if (isExecutable) await files.setMode(path, 0o755);
    return true;
  } catch (error) {
    if (isUserError(error) && inTheWay.has(error.code)) return false;
    throw error;
  }
}
