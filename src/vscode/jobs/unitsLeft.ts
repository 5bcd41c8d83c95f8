import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { JobOrder } from "../../core/jobs/work/outerLoop.js";

/**
 * Returns what is left of a job's run after an event: one unit of work less, if the event ends one of its
 * units and their number is limited; `undefined` if no unit is left.
 */
export function unitsLeft(run: JobOrder, event: ConversationEvent): JobOrder | undefined {
  const { name, most } = run;
  if (most === undefined || event.type !== "sessionEnded" || event.work?.name !== name) return run;
  return most > 1 ? { ...run, most: most - 1 } : undefined;
}
