import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * The absolute path of the git folder that belongs to this workspace and lies elsewhere, as that of
 * a worktree of git's. The other folder must say itself that this is its worktree: what the workspace
 * says alone could name anything.
 *
 * @param root the workspace's absolute path without links
 */
export function gitFolderOutside(root: string): string | undefined {
  try {
    const here = join(root, ".git");
    const [, named] = /^gitdir: (.+)$/m.exec(readFileSync(here, "utf8")) ?? [];
    if (named === undefined) return undefined;
    const own = realpathSync(resolve(root, named));
    const back = resolve(own, readFileSync(join(own, "gitdir"), "utf8").trim());
    if (realpathSync(back) !== here) return undefined;
    const shared = resolve(own, readFileSync(join(own, "commondir"), "utf8").trim());
    return dirname(dirname(own)) === realpathSync(shared) ? realpathSync(shared) : undefined;
  } catch {
    return undefined;
  }
}
