/** A plan that works in a worktree, or will, and has neither landed nor been discarded. */
export interface PlanPlace {
  readonly planId: string;
  /** What works there, if that is no plan but a job's task. */
  readonly about?: string;
  /** `asked`: the worktree is not made yet. `landing`: landing it was interrupted, or goes on now. */
  readonly phase: "asked" | "ready" | "landing";
  /** The absolute path of the folder in which its tasks work, and the size of the worktree when it was made. */
  readonly made?: { readonly root: string; readonly bytes: number };
  /** What landing it will conflict with: the user's own changes (`null`), or another plan that lands first. */
  readonly conflicts: readonly PlanConflict[];
}

interface PlanConflict {
  readonly with: string | null;
  /** From the repository's root. */
  readonly paths: readonly string[];
}
