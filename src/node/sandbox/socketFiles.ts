import { lstatSync, readFileSync } from "node:fs";
import { isAbsolute } from "node:path";

/**
 * Returns the absolute paths of the files through which programs of this machine can be reached. They
 * lead out of a sandbox even where nothing can be written and there is no network.
 */
export function socketFiles(): string[] {
  const paths = readFileSync("/proc/net/unix", "utf8")
    .split("\n")
    .map((line) => /^\S+: (?:\S+ ){5} *\d+ (.+)$/.exec(line)?.[1] ?? "");
  return [...new Set(paths)].filter((path) => isAbsolute(path) && isSocket(path));
}

function isSocket(path: string): boolean {
  try {
    return lstatSync(path).isSocket();
  } catch {
    // A socket that this user cannot see cannot be reached by the user's commands either.
    return false;
  }
}
