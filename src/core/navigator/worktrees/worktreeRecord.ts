export const worktreesFolder = ".rooroo/worktrees";

/** Returns the name of a plan's worktree, which is that of its record, too. */
export function worktreeName(planId: string): string {
  return planId.replaceAll(/[^A-Za-z0-9_-]/g, "-");
}

/** Returns the path of the file that records a plan's worktree. */
export function worktreeRecord(planId: string): string {
  return `${worktreesFolder}/${worktreeName(planId)}.json`;
}
