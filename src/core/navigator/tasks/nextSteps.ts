import type { DraftedStep } from "../../conversation/events/eventPublisher.js";
import type { UserAction } from "../../conversation/input/userAction.js";
import type { TaskId } from "../../ids.js";
import { type Words, words } from "../../text/words.js";

/** The step that starts work on the queue. */
export const proceed: DraftedStep = {
  type: "action",
  label: words("Proceed"),
  action: { action: "proceed", one: false },
};

/** Returns the steps to offer for a task that has failed. */
export function afterFailure(taskId: TaskId, mode: string, goal: string): DraftedStep[] {
  const step = (label: Words, action: UserAction): DraftedStep => ({
    type: "action",
    label,
    action,
  });
  const again = step(words("Try Again"), { action: "resume", taskId });
  return mode === "rooroo-planner"
    ? [again]
    : [again, step(words("Plan It Instead"), { action: "plan", goal, from: taskId })];
}

/**
 * Returns the action that has an expert do the task at once.
 *
 * @param from the task whose request it continues
 */
export function doNow(expert: string, goal: string, from?: TaskId): UserAction {
  return { action: "doTask", expert, goal, ...(from === undefined ? {} : { from }) };
}
