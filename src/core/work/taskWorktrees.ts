import type { WorkspaceHost } from "../experts/workspaceHost.js";
import type { TaskId } from "../ids.js";
import type { Words } from "../text/words.js";

/** What became of landing a task's work. */
export type LandedTask =
  /** `left`: the files that are not in the user's folder, in words for people. */
  | { readonly type: "landed"; readonly left: readonly string[] }
  /** The user's files were merged into the worktree, and these have conflict markers there. */
  | { readonly type: "conflicts"; readonly paths: readonly string[] };

/** A worktree in which one session works. */
export interface TaskWorktree {
  readonly host: WorkspaceHost;
  /**
   * Puts what the task has changed into the user's folder, as changes of the session. If both have changed the same lines,
   * nothing is put there. Protected files are left.
   */
  land(session: TaskId): Promise<LandedTask>;
  /** Lets others use the worktree, which stays unless its work has landed as a whole. */
  release(): Promise<void>;
}

/** The worktrees of jobs' tasks. */
export interface TaskWorktrees {
  /**
   * Returns what worktrees here do only in part.
   *
   * @throws {UserError} with why none can be made
   */
  check(): Promise<readonly Words[]>;
  /**
   * Returns the worktree of a task, in which earlier attempts at it have left their work, or a new one.
   *
   * @param name identifies the task: letters, digits, `-` and `_`
   * @param about the task in words for people
   * @throws {UserError} if it cannot be made, or another session uses it
   */
  open(name: string, about: string): Promise<TaskWorktree>;
}
