import type { Words } from "../text/words.js";
import { readProblem } from "../commands/readProblem.js";
import type { FileSystem } from "../ports/files.js";

/**
 * Returns why git is not to be run in the workspace, for its configuration or the repository's layout would make it run
 * programs or lead it elsewhere; `undefined` if it may.
 *
 * @param isHidden returns whether a path is hidden from experts
 */
export function repositoryProblem(
  files: FileSystem,
  isHidden: (path: string) => boolean,
): Promise<Words | undefined> {
  return readProblem({ path: ".", how: "work tree" }, "", { files, isHidden });
}
