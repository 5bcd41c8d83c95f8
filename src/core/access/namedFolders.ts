import { FileError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { protection } from "./protectedFiles.js";
import { mayHoldSecrets } from "./secretFiles.js";

/** Folders that a document names as those of its work, inside or outside of the workspace. */
export interface NamedFolders {
  /** The document's path in the workspace. */
  readonly document: string;
  /** The folders as it names them: relative to the workspace, or absolute. */
  readonly names: readonly string[];
  /** All that it names, as one text: with other folders, a person's confirmation is none. */
  readonly bound: string;
}

/** A place in one of these folders. */
export interface InNamedFolder {
  readonly document: string;
  readonly bound: string;
  /** The folder's canonical path. */
  readonly folder: string;
  /** Whether the place may hold secrets, seen from the folder or from the root. */
  readonly secret: boolean;
  /** Whether writing there is always asked about. */
  readonly protected: boolean;
}

/**
 * Returns in which of the folders a place is; `undefined` if it is in none, or that is uncertain. The workspace itself, and what
 * holds it, is no such folder: a document cannot open everything.
 *
 * @param path canonical
 */
export async function inNamedFolder(
  path: string,
  { document, names, bound }: NamedFolders,
  files: Pick<FileSystem, "locate">,
): Promise<InNamedFolder | undefined> {
  try {
    const around = `${(await files.locate("..")).path}/`.toLowerCase();
    for (const name of names) {
      const { path: folder, inside } = await files.locate(name);
      const holdsAll = inside ? folder === "" : around.startsWith(`${folder}/`.toLowerCase());
      if (holdsAll || /^([a-z]:)?\/*$/i.test(folder)) continue;
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      const ways = [path.slice(folder.length + 1), path.replace(/^([a-z]:)?\/+/i, "")];
      return {
        document,
        bound,
        folder,
        secret: ways.some((one) => mayHoldSecrets(one)),
        protected: ways.some((one) => protection(one) !== undefined),
      };
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return undefined;
}
