import type { ConversationEvent } from "../events/events.js";
import {
  clearConversation,
  itemById,
  putItem,
  type ConversationState,
} from "./conversationState.js";
import { applyEvent } from "./reduce.js";
import { settle } from "./settle.js";

/**
 * Makes a conversation whole of which only the end of the file had been read. What the file does not have stays as it
 * was: texts that are streaming, the output of calls that run, and what was marked as ended because no process works
 * on it.
 *
 * @param events all events of its file
 */
export function applyWhole(state: ConversationState, events: readonly ConversationEvent[]): void {
  const before = new Map(state.items.map((item) => [item.id, item]));
  const live = [...state.live].flatMap((id) => itemById(state, id) ?? []);
  const tasksAtWork = new Set(live.map((item) => ("taskId" in item ? item.taskId : null)));
  clearConversation(state);
  for (const event of events) applyEvent(state, event);
  for (const id of [...state.live]) {
    const item = itemById(state, id);
    const known = before.get(id);
    if (item === undefined || !("taskId" in item) || item.taskId === null) continue;
    if (item.kind === "plan" && known !== undefined) putItem(state, known);
    else if (!tasksAtWork.has(item.taskId)) settle(state, item.taskId);
  }
  for (const item of live) {
    if (item.kind !== "text" && item.kind !== "reasoning" && item.kind !== "tool") continue;
    const hasEnded = state.positions.has(item.id) && !state.live.has(item.id);
    if (!hasEnded) putItem(state, item);
  }
}
