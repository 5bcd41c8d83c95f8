import { randomBytes } from "node:crypto";
import { renameSync, statSync } from "node:fs";
import { link, mkdir, open, readFile, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { temporaryName } from "../core/temporaryName.js";
import { errorCode } from "./fileError.js";
import { isMissing } from "./realLocation.js";

/**
 * Replaces the file's content as a whole: temp file, fsync, rename, fsync of the folder. `false` when
 * it is not what was expected: that is asked when only the rename is left to be done, so that what
 * another program saves is overwritten only if it comes in the microseconds between the two.
 */
export async function durablyReplace(
  absolute: string,
  content: Uint8Array,
  expected?: Uint8Array,
): Promise<boolean> {
  const old = await statOf(absolute);
  if (old?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  if (old) await checkWritable(absolute);
  return withTempFile(absolute, content, old, async (temp) => {
    if (expected === undefined) await renameOver(temp, absolute);
    else if (!(await renameOverExpected(temp, absolute, expected))) return "kept";
    return "moved";
  });
}

/** `false` when there is something already. Nobody ever sees the file half-written. */
export async function durablyCreate(absolute: string, content: Uint8Array): Promise<boolean> {
  if (await statOf(absolute)) return false;
  return withTempFile(absolute, content, undefined, async (temp) => {
    try {
      await link(temp, absolute);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return "kept";
      if (!withoutHardLinks.has(errorCode(error) ?? "")) throw error;
      if (!(await createInPlace(absolute, content))) return "kept";
    }
    return "copied";
  });
}

/** What file systems without hard links answer. */
const withoutHardLinks = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP", "EMLINK"]);

/** Makes a folder and its parents so that they survive a crash. */
export async function durableFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true }).catch((error: unknown) => {
    // Its name for a file where a folder should be; everything else calls that ENOTDIR.
    if (errorCode(error) !== "EEXIST") throw error;
    throw Object.assign(new Error("a file is in the way"), { code: "ENOTDIR" });
  });
  if (first === undefined) return;
  const top = dirname(first);
  for (let made = folder; made !== top && made !== dirname(made); made = dirname(made)) {
    await syncFolder(dirname(made));
  }
}

/** A new, renamed or removed name is on disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (error) {
    // Some network file systems cannot sync a folder; there is nothing better to do there.
    if (errorCode(error) !== "EINVAL" && errorCode(error) !== "ENOTSUP") throw error;
  } finally {
    await handle.close();
  }
}

interface OldFile {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Answers with whether the content is in its place now. */
async function withTempFile(
  absolute: string,
  content: Uint8Array,
  old: OldFile | undefined,
  putInPlace: (temp: string) => Promise<"moved" | "copied" | "kept">,
): Promise<boolean> {
  const folder = dirname(absolute);
  const name = temporaryName(basename(absolute), randomBytes(6).toString("hex"));
  const temp = join(folder, name);
  // What only its owner may read must not be readable for others while it is written.
  const mode = old ? 0o600 : 0o666;
  let handle;
  try {
    handle = await open(temp, "wx", mode);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await durableFolder(folder);
    handle = await open(temp, "wx", mode);
  }
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
    if (placed !== "moved") await unlink(temp).catch(() => undefined);
    await syncFolder(folder);
  }
}

/** On Windows a scanner or an editor may hold the file for a moment; elsewhere the first try counts. */
async function renameOver(temp: string, absolute: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(temp, absolute);
      return;
    } catch (error) {
      const passing = ["EPERM", "EACCES", "EBUSY"].includes(errorCode(error) ?? "");
      if (process.platform !== "win32" || !passing || attempt === 10) throw error;
      await pause(10 * 2 ** Math.min(attempt, 5));
    }
  }
}

async function createInPlace(absolute: string, content: Uint8Array): Promise<boolean> {
  let handle;
  try {
    handle = await open(absolute, "wx");
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

/** Renaming asks nothing of the file itself, so a write-protected one has to be asked for. */
async function checkWritable(absolute: string): Promise<void> {
  await (await open(absolute, "r+")).close();
}

/** The last look and the rename come without a pause: nothing else gets its turn between them. */
async function renameOverExpected(
  temp: string,
  absolute: string,
  expected: Uint8Array,
): Promise<boolean> {
  try {
    const seen = identityOf(absolute);
    if (!(await readFile(absolute)).equals(expected)) return false;
    if (identityOf(absolute) !== seen) return false;
    if (process.platform === "win32") await renameOver(temp, absolute);
    else renameSync(temp, absolute);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Another one when the file was written or replaced, as far as the system's clock tells. */
function identityOf(absolute: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(absolute, { bigint: true });
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}

async function statOf(absolute: string) {
  try {
    return await stat(absolute);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
