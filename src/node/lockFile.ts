import { randomBytes } from "node:crypto";
import { link, lstat, stat, unlink, writeFile } from "node:fs/promises";
import * as z from "zod";
import { parseJson } from "../core/documents/parseJson.js";
import { errorCode } from "./fileError.js";
import { readSmallFile } from "./readSmallFile.js";
import { isMissing } from "./realLocation.js";

/** Bytes; a lock has some hundreds. */
const largest = 100_000;

const content = z.object({
  pid: z.number(),
  host: z.string(),
  bootId: z.string(),
  pidNamespace: z.string(),
  processStart: z.string(),
  label: z.string(),
  since: z.string(),
  /** Unique, so that a lock is never mistaken for a later one in the same place. */
  token: z.string(),
});
export type LockContent = z.infer<typeof content>;

/** A lock file as it was found. */
export interface FoundLock {
  /** `undefined` when somebody else's program wrote the file. */
  readonly content: LockContent | undefined;
  readonly token: string;
  /** When the holder last showed itself, by the file system's clock. */
  readonly modifiedAt: number;
  /** Milliseconds since then. */
  readonly idleMs: number;
}

/** Makes the lock file, complete from its first moment; `false` when there is one already. */
export async function claim(path: string, mine: LockContent): Promise<boolean> {
  const temp = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  await writeFile(temp, `${JSON.stringify(mine)}\n`, { flag: "wx" });
  try {
    await link(temp, path);
    return true;
  } catch (error) {
    // A network file system may have done it although its answer was lost.
    if ((await stat(temp)).nlink === 2) return true;
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(temp);
  }
}

export async function find(path: string): Promise<FoundLock | undefined> {
  try {
    const text = await readSmallFile(path, largest).catch((error: unknown) => {
      if (errorCode(error) === "ELOOP") return undefined;
      throw error;
    });
    const { mtimeMs } = await lstat(path);
    const json = parseJson(text ?? "");
    const read = content.safeParse(json.ok ? json.value : undefined);
    return {
      content: read.data,
      token: read.data?.token ?? "unreadable",
      modifiedAt: mtimeMs,
      idleMs: Date.now() - mtimeMs,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Removes the lock file if it is still this one. Only who may remove it may call this. */
export async function remove(path: string, token: string): Promise<void> {
  if ((await find(path))?.token !== token) return;
  await unlink(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
  });
}
