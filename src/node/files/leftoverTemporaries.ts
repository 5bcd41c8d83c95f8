import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { readTemporaryName } from "../../core/access/temporaryName.js";
import { isAlive, thisProcess, type ProcessIdentity } from "../processes/processIdentity.js";
import { DirectoryHandle } from "./directoryHandle.js";
import { errorCode } from "./fileError.js";
import { machineOf } from "./temporaryFiles.js";

const dayMs = 24 * 60 * 60 * 1000;
/** The number of folders that are searched before other work gets its turn; they take two milliseconds. */
const foldersATurn = 100;

let me: ProcessIdentity | undefined;

/**
 * Removes the temporary files that interrupted writes have left in a folder: those of processes of this machine that have ended, and any that are older than a day. No link is followed,
 * and a file that cannot be removed stays.
 *
 * @param folder absolute and without links
 * @param below whether it is done in all folders below, too
 * @param now milliseconds since the epoch
 */
export async function removeLeftoverTemporaries(
  folder: string,
  below: boolean,
  now: number,
): Promise<void> {
  const pending = [folder];
  for (let path = pending.pop(), seen = 1; path !== undefined; path = pending.pop(), seen++) {
    const entries = entriesOf(path);
    if (below) for (const one of entries) if (one.isDirectory()) pending.push(join(path, one.name));
    const temporaries = entries.flatMap((one) => {
      const writer = one.isFile() ? readTemporaryName(one.name)?.writer : undefined;
      return writer === undefined ? [] : [{ name: one.name, writer }];
    });
    await removeIn(path, temporaries, now).catch(ofTheSystem(undefined));
    if (seen % foldersATurn === 0) await turn();
  }
}

/** Lists a folder synchronously: awaiting each of a thousand folders takes three times as long. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return ofTheSystem([])(error);
  }
}

/** A file whose name says which process was writing it. */
interface Temporary {
  readonly name: string;
  readonly writer: string;
}

async function removeIn(
  path: string,
  temporaries: readonly Temporary[],
  now: number,
): Promise<void> {
  if (temporaries.length === 0) return;
  const folder = DirectoryHandle.open(path);
  try {
    for (const { name, writer } of temporaries) {
      const found = folder.look(name);
      if (found?.isFile() !== true) continue;
      if (!isGone(writer) && now - found.mtimeMs < dayMs) continue;
      await folder.remove(name).catch(ofTheSystem(undefined));
    }
  } finally {
    folder.close();
  }
}

/** Returns whether the writer has certainly ended; for one on another machine this cannot be known here. */
function isGone(writer: string): boolean {
  me ??= thisProcess();
  const [machine, pid] = [writer.slice(0, 8), Number.parseInt(writer.slice(8), 16)];
  return machine === machineOf(me) && isAlive({ ...me, pid, processStart: "" }, me) === false;
}

/**
 * Returns an error handler that answers system errors with a given value and throws all others, which
 * are bugs.
 */
function ofTheSystem<T>(answer: T): (error: unknown) => T {
  return (error) => {
    if (errorCode(error) === undefined) throw error;
    return answer;
  };
}
