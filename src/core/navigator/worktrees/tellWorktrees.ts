import type { DraftedStep, EventPublisher } from "../../conversation/events/eventPublisher.js";
import { saidBy, UserError } from "../../errors.js";
import { spoken, type Words, words } from "../../text/words.js";
import { discardStep, placeSteps } from "./placeSteps.js";
import type { PlanHosts } from "./planHosts.js";
import type { ToldOfWorktree } from "./worktreeRecovery.js";

/**
 * Removes what was left of worktrees when a process begins, and tells the user what became of it and what only a person
 * can decide. The notices name no command: whoever shows them says how their steps are done there.
 *
 * @param isTold whether the user is told of a plan or worktree with this id or name; absent: of all
 */
export async function tellWorktrees(
  planHosts: Pick<PlanHosts, "recover">,
  publisher: Pick<EventPublisher, "notice">,
  isTold: (about: string) => boolean = () => true,
): Promise<void> {
  try {
    for (const told of await planHosts.recover()) {
      if (!isTold(told.type === "tellOrphan" ? told.name : told.planId)) continue;
      const { text, steps } = worktreeNotice(told);
      publisher.notice("warning", text, steps, `worktree: ${spoken(text)}`);
    }
  } catch (error) {
    // What git or one record refuses must not keep the tasks from recovery.
    if (!(error instanceof UserError)) throw error;
    publisher.notice("warning", saidBy(error), [], "worktrees");
  }
}

function worktreeNotice(told: ToldOfWorktree): {
  readonly text: Words;
  readonly steps: readonly DraftedStep[];
} {
  switch (told.type) {
    case "offerLanding":
      return {
        text: words("Landing `{plan}` was interrupted. Land it again for what is left.", {
          plan: told.planId,
        }),
        steps: placeSteps(told.planId),
      };
    case "tellLanded":
      return {
        text: words("`{plan}` had landed when work was cut off; its worktree is removed now.", {
          plan: told.planId,
        }),
        steps: [],
      };
    case "tellKept":
      return {
        text: words("What is left of the worktree of `{plan}` cannot be removed. {problem}", {
          plan: told.planId,
          problem: told.problem,
        }),
        steps: [],
      };
    case "tellLost":
      return {
        text: words(
          "The worktree of `{plan}` is gone, and with it what its tasks have done. Discarding ends the plan.",
          { plan: told.planId },
        ),
        steps: [discardStep(told.planId)],
      };
    case "tellOrphan":
      return {
        text: words(
          "The worktree `{name}` is left over: no plan in this folder knows it. Discarding removes it.",
          { name: told.name },
        ),
        steps: [discardStep(told.name)],
      };
  }
}
