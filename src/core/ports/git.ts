/** A commit, as a list of them names it. */
export interface CommitName {
  readonly hash: string;
  /** The first line of its message. */
  readonly subject: string;
}

/** The form of what may name a branch or commit: one word, and no option. */
export const revisionPattern = /^[^\s-]\S{0,199}$/;

/** What git compares. */
export type Comparison =
  /** The files as they are, with the last commit. */
  | { readonly of: "workTree" }
  /** What is staged, with the last commit. */
  | { readonly of: "staged" }
  /** A commit, with the one before it. */
  | { readonly of: "commit"; readonly commit: string }
  /** The files as they are, with the commit at which the branch left `base`, another branch or commit. */
  | { readonly of: "branch"; readonly base: string };

/**
 * What a repository's branches, tags, stashes and logs lead to, by its hash: for a file or folder, the path from the top of the
 * repository at which it was met first; `undefined` for a commit.
 */
export type GitHistory = ReadonlyMap<string, string | undefined>;

/**
 * Git's information about the workspace. The caller has made sure that the repository is the workspace's own; of what its
 * configuration names, nothing is run. Methods never reject: they return `undefined` where there is no repository, no git, or no answer within a
 * few seconds. Paths are relative to the workspace.
 */
export interface Git {
  /** Returns what `git status --short --branch` prints for the workspace. */
  status(): Promise<string | undefined>;
  /** Returns the paths in which the two differ, with files that are new and not ignored; `.rooroo` is left out. */
  changed(what: Comparison): Promise<readonly string[] | undefined>;
  /** Returns the paths that are staged in the repository and lie outside of the workspace, as `../a`. */
  stagedOutside(): Promise<readonly string[] | undefined>;
  /** Returns the difference in these paths; of a file that git does not know yet, nothing. */
  diff(paths: readonly string[], what: Comparison): Promise<string | undefined>;
  /** Returns everything that was ever committed and can still be reached. Many repositories are too big for it. */
  history(): Promise<GitHistory | undefined>;
  /** Returns the newest commits. */
  commits(limit: number): Promise<readonly CommitName[] | undefined>;
}
