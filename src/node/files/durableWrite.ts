import { constants, fstatSync, type BigIntStats, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { DirectoryHandle } from "./directoryHandle.js";
import { errorCode } from "./fileError.js";
import { isMissing } from "./realLocation.js";
import { newTemporaryName } from "./temporaryFiles.js";

const exclusively = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/**
 * Replaces the file's content as a whole: temporary file, fsync, rename, fsync of the folder. If the
 * file has further names (hard links), these keep the old content.
 *
 * @param expected the content that the file must have. It is checked when only the rename is left to be
 *   done, so that what another program saves is overwritten only if it comes in the microseconds
 *   between the two.
 * @returns `false`, with nothing changed, when the file's content differs from the expected one
 */
export async function durablyReplace(
  folder: DirectoryHandle,
  name: string,
  content: Uint8Array,
  expected?: Uint8Array,
): Promise<boolean> {
  const old = await replaceable(folder, name);
  return withTempFile(folder, name, content, old, async (temp) => {
    if (expected !== undefined) return renameOverExpected(folder, temp, name, expected);
    await folder.move(temp, name);
    return "moved";
  });
}

/**
 * Creates a file so that it is never seen half-written, except on file systems without hard links.
 *
 * @returns `false`, with nothing changed, when there is something of that name already
 */
export async function durablyCreate(
  folder: DirectoryHandle,
  name: string,
  content: Uint8Array,
): Promise<boolean> {
  if (folder.look(name) !== undefined) return false;
  return withTempFile(folder, name, content, undefined, async (temp) => {
    try {
      await folder.link(temp, name);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return "kept";
      if (!withoutHardLinks.has(errorCode(error) ?? "")) throw error;
      if (!(await createInPlace(folder, name, content))) return "kept";
    }
    return "copied";
  });
}

/** Error codes of file systems without hard links. */
const withoutHardLinks = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);

/**
 * Returns the status of the file that is to be replaced; `undefined` if there is none. The file is
 * opened for writing, because a rename would replace even a write-protected one.
 */
async function replaceable(folder: DirectoryHandle, name: string): Promise<Stats | undefined> {
  const seen = folder.look(name);
  if (seen === undefined) return undefined;
  if (seen.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  const handle = await folder.open(name, constants.O_RDWR);
  try {
    const found = fstatSync(handle.fd);
    if (!found.isFile()) throw Object.assign(new Error("not a file"), { code: "ENXIO" });
    return found;
  } finally {
    await handle.close();
  }
}

/**
 * Writes the content to a temporary file, which `putInPlace` then puts in its place. Resolves with
 * whether the content is in its place now.
 */
async function withTempFile(
  folder: DirectoryHandle,
  name: string,
  content: Uint8Array,
  old: Stats | undefined,
  putInPlace: (temp: string) => Promise<"moved" | "copied" | "kept">,
): Promise<boolean> {
  const temp = newTemporaryName(name);
  // A file that only its owner may read must not be readable for others while it is written.
  const handle = await folder.open(temp, exclusively, old ? 0o600 : 0o666);
  let placed;
  try {
    try {
      await handle.writeFile(content);
      if (old) {
        await handle.chown(old.uid, old.gid).catch(() => undefined);
        await handle.chmod(old.mode & 0o7777);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    placed = await putInPlace(temp);
    return placed !== "kept";
  } finally {
    if (placed !== "moved") await folder.remove(temp).catch(() => undefined);
    await folder.sync();
  }
}

async function createInPlace(
  folder: DirectoryHandle,
  name: string,
  content: Uint8Array,
): Promise<boolean> {
  let handle;
  try {
    handle = await folder.open(name, exclusively);
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return true;
}

/**
 * Checks the content and renames. On other systems than Windows there is no pause between the two, so
 * that nothing else of this process runs in between.
 */
async function renameOverExpected(
  folder: DirectoryHandle,
  temp: string,
  name: string,
  expected: Uint8Array,
): Promise<"moved" | "kept"> {
  const handle = await readable(folder, name);
  if (handle === undefined) return "kept";
  try {
    const seen = identityOf(handle);
    if (!(await handle.readFile()).equals(expected)) return "kept";
    if (identityOf(handle) !== seen) return "kept";
    if (folder.look(name)?.ino !== fstatSync(handle.fd).ino) return "kept";
    if (process.platform !== "win32") folder.moveNow(temp, name);
  } finally {
    await handle.close();
  }
  if (process.platform === "win32") await folder.move(temp, name);
  return "moved";
}

async function readable(folder: DirectoryHandle, name: string): Promise<FileHandle | undefined> {
  try {
    return await folder.open(name, constants.O_RDONLY);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns a text that changes when the file is written, as far as the system's clock tells. */
function identityOf(handle: FileHandle): string {
  const { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats = fstatSync(handle.fd, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
