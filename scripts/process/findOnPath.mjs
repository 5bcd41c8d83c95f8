import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/**
 * The first of `names` that can be run: absolute paths are tried as they are, others along PATH.
 *
 * @param {readonly string[]} names
 * @returns {string | undefined}
 */
export function findOnPath(names) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const name of names) {
    const places = isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
    const found = places.find(canRun);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** @param {string} file */
function canRun(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
