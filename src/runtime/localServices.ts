import { env } from "node:process";
import type { FileSystem } from "../core/ports/files.js";
import type { Lock } from "../core/ports/locks.js";
import type { Clock, Ids, Signer } from "../core/ports/system.js";
import { DiskFileSystem } from "../node/files/diskFileSystem.js";
import { FileLock } from "../node/locks/fileLock.js";
import { RandomIds } from "../node/randomIds.js";
import { SystemClock } from "../node/systemClock.js";
import { InstallationKey } from "../node/user/installationKey.js";
import { userFolder } from "../node/user/userFolder.js";

/** The services of this machine that reading and changing a workspace's files needs. */
export interface LocalServices {
  readonly files: FileSystem;
  readonly signer: Signer;
  readonly lock: Lock;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * Creates the services for one workspace. They are small, and loaded at the start.
 *
 * @param root the workspace folder's absolute path
 * @param label the name of this process for others that have to wait for its locks
 */
export function localServices(root: string, label: string): LocalServices {
  return {
    files: new DiskFileSystem(root),
    signer: new InstallationKey(userFolder(env), root),
    lock: new FileLock(root, label),
    clock: new SystemClock(),
    ids: new RandomIds(),
  };
}
