import type { WorktreeLimit } from "../../ports/worktrees.js";
import { type Words, words } from "../../text/words.js";

/** Says, before a worktree is made, what of it is done only in part. */
export function worktreeLimits(limits: readonly WorktreeLimit[]): readonly Words[] {
  return limits.map((limit) => {
    switch (limit) {
      case "submodules":
        return words(
          "This repository has submodules: a worktree gets copies of their files, and what is changed in these does not land.",
        );
      case "filtered":
        return words(
          "Git keeps some files of this repository by a program, as Git LFS does: a worktree gets copies of yours, and what is changed in these does not land.",
        );
      case "sparse":
        return words(
          "This is a sparse checkout: a worktree is whole, and what is changed in files that you have not checked out does not land.",
        );
    }
  });
}
