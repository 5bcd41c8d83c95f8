/** Git's information about the workspace. */
export interface Git {
  /**
   * Returns what `git status --short --branch` prints for the workspace, with paths relative to it;
   * `undefined` where there is no repository, no git, or no answer within a few seconds. Never rejects.
   *
   * The caller has made sure that the repository's configuration makes git run nothing.
   */
  status(): Promise<string | undefined>;
}
