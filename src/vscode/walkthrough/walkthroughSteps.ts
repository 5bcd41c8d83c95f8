import type { WalkthroughStep } from "../../contributions/walkthrough.js";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { PanelStatus } from "../../protocol/messages.js";

/** The walkthrough's steps, as the manifest names them in `onContext:rooroo.did.STEP`. */
export const walkthroughSteps: readonly WalkthroughStep[] = [
  "model",
  "request",
  "approval",
  "plan",
  "job",
  "run",
];

/** Returns the step that an event shows to be done; `undefined` if it shows none. */
export function stepDone(event: ConversationEvent): WalkthroughStep | undefined {
  if (event.type === "agent" && event.event.type === "approvalResolved") return "approval";
  if (event.work !== undefined) return event.work.kind;
  return event.type === "user" ? "request" : undefined;
}

/** Returns whether a plan was made and work on it has begun. */
export function isPlanUnderWay({ plans }: Pick<Overview, "plans">): boolean {
  return plans.some(({ done }) => done > 0);
}

/** Returns whether a model was chosen. The demo model was not: nobody picked it. */
export function isModelChosen({ model }: Pick<PanelStatus, "model">): boolean {
  return model.ready && !model.demo;
}
