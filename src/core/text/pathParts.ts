/** Returns the path of the folder that a file is in; `""` for one without a slash. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** Returns what follows the last slash of a path: the file's name. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
