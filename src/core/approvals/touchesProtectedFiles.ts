import type { CommandIntent } from "../agent/tool.js";
import { isProtected } from "./protectedFiles.js";

/**
 * Returns whether a command visibly writes outside the workspace or to protected files, which is always asked
 * about.
 */
export function touchesProtectedFiles({ facts }: CommandIntent): boolean {
  const isOutside = (path: string) => /^(\/|[A-Za-z]:)/.test(path);
  return facts?.writes.some((path) => isOutside(path) || isProtected(path)) ?? false;
}
