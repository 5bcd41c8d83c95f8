import { isTemporaryName } from "../../access/temporaryName.js";
import { UserError } from "../../errors.js";
import type { FileSystem } from "../../ports/files.js";

/** The result, for the model, of a call that was interrupted when the process ended. */
export const interruptedResult =
  "The program was closed while this call ran, so it may have happened in full, in part or not at all. It was not repeated. Look at what is there before you decide.";

/**
 * Removes temporary files that an interrupted write may have left beside its file. Nothing depends on this,
 * so failures of the file system are ignored.
 *
 * @param path the file's path, as a model wrote it
 */
export async function removeLeftovers(path: string, files: FileSystem): Promise<void> {
  try {
    const { path: real, inside } = await files.locate(path);
    if (!inside) return;
    const [, folder = "", name = ""] = /^(.*\/)?(.*)/s.exec(real) ?? [];
    for (const entry of await files.readDirectory(folder.slice(0, -1))) {
      if (entry.kind === "file" && isTemporaryName(entry.name, name)) {
        await files.removeFile(folder + entry.name);
      }
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
}
