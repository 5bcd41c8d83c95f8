import type { FileSystem } from "../ports/files.js";

/**
 * Folders of the user's own outside of the workspace whose files experts may read as they read the workspace's.
 * Absolute paths; the first one with a name hides the same name in the later ones.
 */
export interface UserPlaces {
  /** Folders whose folders are skills. */
  readonly skills: readonly string[];
  /** Folders with the files of commands. */
  readonly commands: readonly string[];
  /** Folders with rules for all modes; those for one mode are beside them, in folders with its slug at the end. */
  readonly rules: readonly string[];
  /** The home folder. Without one, nothing is read of a repository above the workspace. */
  readonly home?: string;
}

export const noUserPlaces: UserPlaces = { skills: [], commands: [], rules: [] };

/**
 * Returns a canonical path as it is below one of the places; `undefined` if it is below none. The places themselves may
 * be links, because the user has made them; a link in one of them leads out of it.
 */
export async function belowPlaces(
  path: string,
  places: readonly string[],
  files: Pick<FileSystem, "locate">,
): Promise<string | undefined> {
  for (const place of places) {
    const { path: real } = await files.locate(place);
    if (real !== "" && path.startsWith(`${real}/`)) return path.slice(real.length + 1);
  }
  return undefined;
}
