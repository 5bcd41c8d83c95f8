import type { FileSystem } from "../ports.js";
import { joinPath } from "./joinPath.js";

/**
 * A path as the system follows it from a folder: `..` behind a link goes up from where that leads,
 * not from where it is.
 */
export async function followPath(folder: string, path: string, files: FileSystem): Promise<string> {
  if (!path.includes("..")) return joinPath(folder, path);
  let at = path.startsWith("/") ? "/" : folder;
  for (const part of path.split("/")) {
    at = joinPath(part === ".." ? (await files.locate(at)).path : at, part);
  }
  return at;
}
