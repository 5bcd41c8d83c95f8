import type { NextStep } from "../conversation/events.js";
import type { UserAction } from "../conversation/userAction.js";

/** The step that starts work on the queue. */
export const proceed: NextStep = {
  type: "action",
  label: "Proceed",
  action: { action: "proceed", one: false },
};

/** Returns the action that has an expert do the task at once. */
export function doNow(expert: "rooroo-developer" | "rooroo-analyzer", goal: string): UserAction {
  return { action: "doTask", expert, goal };
}
