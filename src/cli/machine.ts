import type { NavigatorWorld } from "../core/navigator/world.js";
import { DiskFileSystem } from "../node/diskFileSystem.js";
import { FileLock } from "../node/fileLock.js";
import { InstallationKey } from "../node/installationKey.js";
import { RandomIds } from "../node/randomIds.js";
import { SystemClock } from "../node/systemClock.js";
import { userFolder } from "../node/userFolder.js";

/**
 * What this machine gives a Navigator, but for what only running tasks need.
 *
 * @param label what others are told when this process is in their way
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
