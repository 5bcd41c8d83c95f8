import type { TaskView } from "../../core/navigator/overview.js";
import type { PanelStatus, PendingView } from "../../protocol/messages.js";
import { shorten } from "../text/shorten.js";

/**
 * Returns the experts that work on tasks now, and the user's messages that are still to be delivered.
 *
 * @param waiting ids of the tasks that wait for an approval in this window: their experts are at work
 */
export function expertsAtWork(
  tasks: readonly TaskView[],
  waiting: ReadonlySet<string>,
): Pick<PanelStatus, "atWork" | "pending"> {
  const atWork = tasks.filter(({ taskId, state }) => state === "running" || waiting.has(taskId));
  return {
    atWork: atWork
      .toSorted((a, b) => a.changedAt - b.changedAt)
      .map(({ taskId, mode, goal }) => ({ taskId, mode, goal: shorten(goal, 100) })),
    pending: tasks
      .flatMap(({ taskId, mode, state, messages = [] }) =>
        messages.map(({ id, at, text }) => {
          return { id, taskId, mode, text, at, when: whenDelivered(state) };
        }),
      )
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map(({ id, taskId, mode, text, when }) => ({ id, taskId, mode, text, when })),
  };
}

function whenDelivered(state: TaskView["state"]): PendingView["when"] {
  switch (state) {
    case "running":
      return "nextTurn";
    case "needsYou":
      return "decided";
    case "queued":
    case "interrupted":
      return "resumed";
    case "done":
    case "failed":
    case "foreign":
      return "never";
  }
}
