import type { ConversationEvent } from "../events/events.js";
import type { ConversationState } from "./conversationState.js";

/**
 * Returns whether these events, which any process has written, tell of a restore, or of the end or the undoing of one,
 * that the conversation does not show.
 */
export function tellsOfRestore(
  { positions, restoring }: Pick<ConversationState, "positions" | "restoring">,
  events: readonly ConversationEvent[],
): boolean {
  const last = new Map<string, ConversationEvent["type"]>();
  for (const event of events) if ("restoreId" in event) last.set(event.restoreId, event.type);
  return [...last].some(([id, type]) => {
    const isShown = positions.has(id);
    if (type === "restoreUndone") return isShown;
    return !isShown || (type === "restoreEnded" && restoring.has(id));
  });
}
