/**
 * Joins a path to a folder, without `.` and `..` where these can be resolved without a look at the
 * disk. Absolute paths stay absolute.
 */
export function joinPath(folder: string, path: string): string {
  const whole = path.startsWith("/") || folder === "" ? path : `${folder}/${path}`;
  const parts: string[] = [];
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else parts.push(part);
  }
  return (whole.startsWith("/") ? "/" : "") + parts.join("/");
}
