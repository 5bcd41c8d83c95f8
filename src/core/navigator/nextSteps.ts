import type { NextStep } from "../conversation/events.js";
import type { UserAction } from "../conversation/userAction.js";
import type { TaskId } from "../ids.js";

/** The step that starts work on the queue. */
export const proceed: NextStep = {
  type: "action",
  label: "Proceed",
  action: { action: "proceed", one: false },
};

/**
 * Returns the action that has an expert do the task at once.
 *
 * @param from the task whose request it continues
 */
export function doNow(expert: string, goal: string, from?: TaskId): UserAction {
  return { action: "doTask", expert, goal, ...(from === undefined ? {} : { from }) };
}
