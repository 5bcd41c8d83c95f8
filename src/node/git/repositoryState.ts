import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { UserError } from "../../core/errors.js";
import { type GitProcess, printed } from "./gitProcess.js";

/** Operations that a repository can be in the middle of, by the file that tells of each. */
const unfinished: readonly (readonly [file: string, name: string])[] = [
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["BISECT_LOG", "bisect"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
];

/**
 * Resolves if the repository is in the middle of nothing.
 *
 * @param root the workspace folder's absolute path
 * @throws {UserError} if a merge, rebase or the like is under way
 */
export async function checkNothingUnderWay(git: GitProcess, root: string): Promise<void> {
  const args = unfinished.flatMap(([file]) => ["--git-path", file]);
  const paths = printed(await git.run(["rev-parse", ...args])).split("\n");
  for (const [index, [, name]] of unfinished.entries()) {
    const path = paths[index] ?? "";
    if (!existsSync(isAbsolute(path) ? path : join(root, path))) continue;
    throw new UserError(
      "repositoryBusy",
      "A {name} is under way in this repository. Finish or abort it, then try again.",
      { name },
    );
  }
}
