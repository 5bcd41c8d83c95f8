import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * Returns the paths of all files below a folder whose names end so, in order; none if there is no
 * such folder.
 *
 * @param {string} folder
 * @param {string} end
 */
export async function corpusFiles(folder, end) {
  try {
    const names = await readdir(folder, { recursive: true });
    return names
      .filter((name) => name.endsWith(end))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (error.code === "ENOENT") return [];
    throw error;
  }
}
