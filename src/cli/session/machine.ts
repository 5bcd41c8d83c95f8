import type { NavigatorWorld } from "../../core/navigator/world.js";
import { DiskFileSystem } from "../../node/files/diskFileSystem.js";
import { FileLock } from "../../node/locks/fileLock.js";
import { InstallationKey } from "../../node/user/installationKey.js";
import { RandomIds } from "../../node/randomIds.js";
import { SystemClock } from "../../node/systemClock.js";
import { userFolder } from "../../node/user/userFolder.js";

/**
 * Creates what a Navigator needs from this machine, except for what only running tasks need.
 *
 * @param label the name of this process for others that have to wait for its locks
 */
export function machine(
  root: string,
  label: string,
): Pick<NavigatorWorld, "files" | "signer" | "lock" | "clock" | "ids"> {
  return {
    files: new DiskFileSystem(root),
    signer: new InstallationKey(userFolder(process.env), root),
    lock: new FileLock(root, label),
    clock: new SystemClock(),
    ids: new RandomIds(),
  };
}
