import type { NextStep } from "../conversation/events.js";

/** Returns the steps that lead on with a plan in a worktree. */
export function placeSteps(planId: string): NextStep[] {
  return [
    { type: "command", label: "Show Changes of Plan", command: "showPlanChanges", about: planId },
    { type: "command", label: "Land Plan", command: "landPlan", about: planId },
  ];
}

/** Returns the step by which a worktree is removed: that of a plan, or one that no plan knows, by its name. */
export function discardStep(about: string): NextStep {
  return { type: "command", label: "Discard Plan…", command: "discardPlan", about };
}
