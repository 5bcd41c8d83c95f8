/** A file as work found it, and as it left it. `undefined`: there was no such file. */
export interface FileStep {
  readonly before: Uint8Array | undefined;
  readonly after: Uint8Array | undefined;
  /** Whether the file was left executable. Absent: that is not known, and stays as it is. */
  readonly executable?: boolean;
}

export interface NewCommit {
  /** The message, with subject, body and trailers. */
  readonly message: string;
  /** The changed files by their paths, with the steps that the work took, in order. */
  readonly files: ReadonlyMap<string, readonly FileStep[]>;
}

/** The reason why a file is not in a commit. */
export type LeftOut =
  /** It has changes of others, not committed yet, in the same lines. */
  | "mixed"
  /** Git would have to run a program to read it: a filter of its attributes. */
  | "filtered";

export interface MadeCommit {
  /** The commit's full name; `undefined` if none was made. */
  readonly id: string | undefined;
  /** The files that are not in the commit. If one is `mixed`, no commit is made. */
  readonly leftOut: readonly { readonly path: string; readonly why: LeftOut }[];
}

/**
 * Commits that code makes of what work has changed. The files of the workspace are neither read nor written: what
 * nobody has named in a step, such as the user's own changes, is in no commit and stays as it is. No hook and no other
 * program of the repository runs.
 */
export interface Commits {
  /**
   * Makes a branch the current one: a new branch at the present commit. Does nothing if it is the current one already.
   * Returns whether the branch is new.
   *
   * @param own folders whose uncommitted changes do not matter, as in `.jixo`
   * @throws {UserError} if there is no git or repository, if something is not committed or half merged, or if the
   *   branch is not at the present commit
   */
  begin(branch: string, own: readonly string[]): Promise<boolean>;
  /** Returns, for each of these trailers, all values in the newest 20,000 commits of the current branch. */
  trailers(keys: readonly string[]): Promise<readonly ReadonlySet<string>[]>;
  /**
   * Commits to a branch.
   *
   * @throws {UserError} if the branch is not the current one, or if git refuses
   */
  commit(branch: string, commit: NewCommit): Promise<MadeCommit>;
}
