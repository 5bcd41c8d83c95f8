/** The reasons why a file is not carried from one place to another. */
export const notCarried = [
  /** Git would have to run a program to read or write it: a filter of its attributes, such as Git LFS. */
  "filtered",
  /** It is too big to be kept in the repository without a person's wish. */
  "tooBig",
  /** It lies outside of the workspace folder, elsewhere in the repository. */
  "outside",
  /** It is a link or a repository of its own, which no tool writes. */
  "link",
  /** The user has it otherwise than any commit tells, and nothing of theirs is overwritten. */
  "changed",
  /** The folder has more files, or more bytes, than are carried. */
  "tooMuch",
  /** Tools, editors or agents would act on it. */
  "protected",
  /** There is another file at its place. */
  "taken",
] as const;
export type NotCarried = (typeof notCarried)[number];

/** Bytes. Bigger files that the repository does not have are not put into it. */
export const mostOfNewFile = 50_000_000;

export interface FileNotCarried {
  /** Relative to the workspace; for `outside`, to the repository's root, with `/` before it. */
  readonly path: string;
  readonly why: NotCarried;
}

/** A file of a task that stayed where the task worked. */
export interface FileLeft extends FileNotCarried {
  readonly bytes: number;
}

/** What worktrees of a repository do only in part. */
export type WorktreeLimit =
  /** The worktree gets copies of the files of the repositories inside, which do not land. */
  | "submodules"
  /** The worktree gets copies of the files that git keeps by a program, which do not land. */
  | "filtered"
  /** The worktree is whole; what the user has not checked out does not land. */
  | "sparse";

/** A plan whose tasks work in a worktree. */
export interface WorktreePlan {
  /** The worktree's name: letters, digits, `-` and `_`. */
  readonly name: string;
  /** The full name of the commit that the worktree was made from. */
  readonly base: string;
}

export interface MadeWorktree {
  /** The absolute path of the folder in which the tasks work: the workspace folder's counterpart. */
  readonly root: string;
  /** The size of all its files when it was made. */
  readonly bytes: number;
  /** Number of the files that were copied beside those of the commit. */
  readonly copied: number;
  /** Files that the user has and the worktree does not. */
  readonly leftOut: readonly FileNotCarried[];
}

/** A file that landing would write, make or remove in the user's folder. */
export interface LandingFile {
  readonly path: string;
  /** The user's file as it is, byte for byte. `undefined`: there is none. */
  readonly before: Uint8Array | undefined;
  /** What it becomes. `undefined`: it is removed. */
  readonly after: Uint8Array | undefined;
  /** Whether it becomes executable, if that changes or the file is new. */
  readonly executable?: boolean;
}

/** What landing a plan would do. */
export type Landing =
  | {
      readonly type: "clean";
      /** Sorted by path. */
      readonly files: readonly LandingFile[];
      readonly leftOut: readonly FileNotCarried[];
    }
  /** The user and the plan have changed the same lines. `paths` are relative to the repository's root. */
  | { readonly type: "conflicts"; readonly paths: readonly string[] };

/** What brings the user's files, as they were at one moment, into a worktree. */
export interface WorktreeUpdate {
  /** The full name of the commit of the user's files, from which the worktree's changes count afterwards. */
  readonly base: string;
  /** The full names of the trees that the worktree has before and after it. */
  readonly from: string;
  readonly to: string;
  /** The files that get conflict markers, because both have changed the same lines; from the repository's root. */
  readonly conflicts: readonly string[];
}

/**
 * Worktrees of the workspace's repository, one for each plan, outside of it. The user's files, index, branches and
 * stash are never written, and no hook, filter or other program of the repository runs. All methods throw a
 * `UserError` where git is missing or refuses. The caller has made sure that the repository's configuration makes git
 * run nothing.
 */
export interface Worktrees {
  /**
   * Returns what worktrees of this repository do only in part.
   *
   * @throws {UserError} with why no worktree can be made of this repository as it is
   */
  check(): Promise<readonly WorktreeLimit[]>;
  /**
   * Makes a commit of the last commit with all changes since, staged or not, and the new files that git does not
   * ignore. It is kept until {@link remove}. Returns its full name.
   */
  base(name: string): Promise<string>;
  /** Makes the plan's worktree anew, with copies of what `.worktreeinclude` names. */
  make(plan: WorktreePlan): Promise<MadeWorktree>;
  /**
   * Puts what a commit has otherwise than the plan's base into the plan's worktree. Links and repositories are left out.
   */
  fill(plan: WorktreePlan, commit: string): Promise<void>;
  /** Returns what landing would do at this moment. Changes no file. */
  landing(plan: WorktreePlan): Promise<Landing>;
  /**
   * Returns the files, from the repository's root, in which a plan will conflict with others if these land first, by
   * the others' names. Those without conflicts are left out.
   */
  conflicts(
    plan: WorktreePlan,
    others: readonly WorktreePlan[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Returns what brings the user's files into a worktree, which is as {@link base} sees them. Changes no file. */
  planUpdate(plan: WorktreePlan): Promise<WorktreeUpdate>;
  /** Writes a planned update into a worktree. It can be done again after a crash. */
  update(name: string, planned: WorktreeUpdate): Promise<void>;
  /** Removes a worktree with all that is in it, and what kept its base. Nothing happens if it is gone. */
  remove(name: string): Promise<void>;
  /** Returns the names of all that {@link remove} would find something of. */
  left(): Promise<readonly string[]>;
}
