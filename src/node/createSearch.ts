import { isAbsolute } from "node:path";
import type { Search } from "../core/ports.js";
import { findProgram, isWithin } from "./findProgram.js";
import { RipgrepSearch } from "./ripgrepSearch.js";
import { WalkSearch } from "./walkSearch.js";

/**
 * With ripgrep where there is one, else without.
 *
 * @param root the workspace folder's absolute path
 * @param ripgrepPath where the user says that `rg` is; a workspace's own is never run
 */
export function createSearch(root: string, ripgrepPath?: string): Search {
  const chosen =
    ripgrepPath !== undefined && isAbsolute(ripgrepPath) && !isWithin(ripgrepPath, root)
      ? ripgrepPath
      : undefined;
  const program = chosen ?? findProgram(["rg"], root);
  return program === undefined ? new WalkSearch(root) : new RipgrepSearch(root, program);
}
