import type { TaskId } from "../../ids.js";
import { itemById, putItem, type ConversationState, type ItemChange } from "./conversationState.js";
import type { Item } from "./items.js";
import { settledPlan } from "./reducePlan.js";
import { offerUnfinished } from "./reduceRestored.js";

/**
 * Marks as ended what only a running agent could continue: in a conversation read from its file or, with a
 * `taskId`, in a task whose agent session has ended. Questions stay open; they wait for a person.
 */
export function settle(state: ConversationState, taskId?: TaskId): ItemChange[] {
  const changes: ItemChange[] = taskId === undefined ? offerUnfinished(state) : [];
  for (const id of [...state.live]) {
    const item = itemById(state, id);
    if (item === undefined || !("taskId" in item)) continue;
    if (item.kind === "plan") {
      // The plan itself hears of the end of one task.
      if (taskId === undefined) changes.push(putItem(state, settledPlan(item)));
      continue;
    }
    if (taskId !== undefined && item.taskId !== taskId) continue;
    changes.push(putItem(state, settled(item)));
  }
  return changes;
}

function settled(item: Exclude<Item, { kind: "plan" }>): Item {
  switch (item.kind) {
    case "task":
      return { ...item, running: false };
    case "text":
    case "reasoning":
      return { ...item, streaming: false };
    case "tool":
      return {
        ...item,
        ...(item.runsOn === true ? { runsOn: false } : {}),
        state: item.state === "running" ? "interrupted" : item.state,
        ...(item.approval?.state === "open"
          ? { approval: { ...item.approval, state: "gone" as const } }
          : {}),
      };
    case "user":
    case "notice":
    case "checklist":
    case "question":
    case "proposal":
    case "report":
      return item;
  }
}
