/** A commit, as a list of them names it. */
export interface CommitName {
  readonly hash: string;
  /** The first line of its message. */
  readonly subject: string;
}

/**
 * Git's information about the workspace. The caller has made sure that the repository's configuration makes git run
 * nothing. Methods never reject: they return `undefined` where there is no repository, no git, or no answer within a
 * few seconds. Paths are relative to the workspace.
 */
export interface Git {
  /** Returns what `git status --short --branch` prints for the workspace. */
  status(): Promise<string | undefined>;
  /** Returns the paths that differ from the last commit, or that a commit has changed; `.rooroo` is left out. */
  changed(commit?: string): Promise<readonly string[] | undefined>;
  /** Returns the difference of these paths from the last commit, or what a commit has changed of them. */
  diff(paths: readonly string[], commit?: string): Promise<string | undefined>;
  /** Returns the newest commits. */
  commits(limit: number): Promise<readonly CommitName[] | undefined>;
}
