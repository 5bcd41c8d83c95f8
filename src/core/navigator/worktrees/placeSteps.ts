import type { DraftedStep } from "../../conversation/events/eventPublisher.js";
import { words } from "../../text/words.js";

/** Returns the steps that lead on with a plan in a worktree. */
export function placeSteps(planId: string): DraftedStep[] {
  return [
    {
      type: "command",
      label: words("Show Changes of Plan"),
      command: "showPlanChanges",
      about: planId,
    },
    { type: "command", label: words("Land Plan"), command: "landPlan", about: planId },
  ];
}

/** Returns the step by which a worktree is removed: that of a plan, or one that no plan knows, by its name. */
export function discardStep(about: string): DraftedStep {
  return { type: "command", label: words("Discard Plan…"), command: "discardPlan", about };
}
