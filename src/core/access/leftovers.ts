import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";

/**
 * Removes what writes have left in folders of the workspace that were cut off when their process was killed. Nothing depends
 * on this, so failures of the file system are ignored.
 *
 * @param options `below`: whether it is done in all folders below, too
 */
export async function removeLeftovers(
  folders: Iterable<string>,
  files: FileSystem,
  options: { readonly below: boolean } = { below: false },
): Promise<void> {
  for (const folder of folders) {
    try {
      if ((await files.locate(folder)).inside) await files.removeTemporaries(folder, options);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
    }
  }
}
