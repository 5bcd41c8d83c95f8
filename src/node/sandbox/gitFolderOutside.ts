import { readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/**
 * Returns the absolute path of the git folder that belongs to this workspace and lies elsewhere, as
 * that of a git worktree; `undefined` if there is none. The other folder must confirm that this is its
 * worktree: the workspace alone could name any folder.
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
