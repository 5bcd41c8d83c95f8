import { isAbsolute } from "node:path";
import type { Search } from "../../core/ports/search.js";
import { findProgram, isWithin } from "../processes/findProgram.js";
import { RipgrepSearch } from "./ripgrepSearch.js";
import { WalkSearch } from "./walkSearch.js";

/**
 * Returns a search that uses ripgrep if it is found, else one that needs no other program.
 *
 * @param root the workspace folder's absolute path
 * @param ripgrepPath the path of `rg` in the user's settings; a relative one or one in the workspace is
 *   ignored
 */
export function createSearch(root: string, ripgrepPath?: string): Search {
  const chosen =
    ripgrepPath !== undefined && isAbsolute(ripgrepPath) && !isWithin(ripgrepPath, root)
      ? ripgrepPath
      : undefined;
  const program = chosen ?? findProgram(["rg"], root);
  return program === undefined ? new WalkSearch(root) : new RipgrepSearch(root, program);
}
