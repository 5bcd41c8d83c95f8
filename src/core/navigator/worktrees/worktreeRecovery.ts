import type { Said } from "../../text/words.js";
import type { PlanWorktree } from "./planWorktree.js";
import { worktreeName } from "./worktreeRecord.js";

/** What is left to do about worktrees when a process begins. */
export type WorktreeStep =
  /** Its work is over: what is left of it is removed. */
  | { readonly type: "remove"; readonly planId: string; readonly hasLanded: boolean }
  /** Landing was interrupted: what is left of it lands when the user says so. */
  | { readonly type: "offerLanding"; readonly planId: string }
  /** Its folder is gone, and what the tasks did in it with it. */
  | { readonly type: "tellLost"; readonly planId: string }
  /** A worktree that no plan of this folder knows; the user is told its name. */
  | { readonly type: "tellOrphan"; readonly name: string };

/** What a person is told of a step once it is done. */
export type ToldOfWorktree =
  | Exclude<WorktreeStep, { type: "remove" }>
  /** It had landed, and what was left of it is removed. */
  | { readonly type: "tellLanded"; readonly planId: string }
  /** The worktree is still there, because it cannot be removed. */
  | { readonly type: "tellKept"; readonly planId: string; readonly problem: Said };

/**
 * Returns what is left to do. One that is being made needs nothing: it is made anew before its first task begins.
 *
 * @param left names of the worktrees of which anything is there
 */
export function worktreeRecovery(
  records: readonly PlanWorktree[],
  left: readonly string[],
): WorktreeStep[] {
  const known = new Set(records.map(({ planId }) => worktreeName(planId)));
  const steps = records.flatMap(({ planId, phase }): WorktreeStep[] => {
    const isThere = left.includes(worktreeName(planId));
    switch (phase) {
      case "asked":
        return [];
      case "ready":
        return isThere ? [] : [{ type: "tellLost", planId }];
      case "landing":
        return [{ type: isThere ? "offerLanding" : "tellLost", planId }];
      case "landed":
      case "discarded":
        return isThere ? [{ type: "remove", planId, hasLanded: phase === "landed" }] : [];
    }
  });
  const orphans = left.filter((name) => !known.has(name));
  return [...steps, ...orphans.map((name): WorktreeStep => ({ type: "tellOrphan", name }))];
}
