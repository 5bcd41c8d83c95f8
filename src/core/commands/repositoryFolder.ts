import type { FileSystem } from "../ports.js";
import { joinPath } from "./joinPath.js";

/**
 * The nearest folder with `.git` in it, a folder or a file, from a canonical one upwards; `undefined`
 * where there is none in the workspace. One around the workspace is not for experts to write.
 */
export async function repositoryFolder(
  folder: string,
  files: FileSystem,
): Promise<string | undefined> {
  for (let place = folder; ; place = place.includes("/") ? place.replace(/\/[^/]*$/, "") : "") {
    if ((await files.stat(joinPath(place, ".git"))) !== undefined) return place;
    if (place === "") return undefined;
  }
}
