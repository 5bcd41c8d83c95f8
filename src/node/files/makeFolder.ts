import { realLocation } from "./realLocation.js";
import { DirectoryHandle } from "./directoryHandle.js";

/**
 * Makes a folder that is this program's own, and its parents, where they are missing. Links that the
 * user has put in the path are followed. Rejects as the system does.
 *
 * @param absolute not in a workspace
 */
export async function makeFolder(absolute: string): Promise<void> {
  (await DirectoryHandle.openOrMake(await realLocation(absolute))).close();
}
