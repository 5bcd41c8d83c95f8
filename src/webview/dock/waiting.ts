import type { Item } from "../../core/conversation/state/items.js";
import { waitsForUser } from "../../core/conversation/state/waitsForUser.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { expertName } from "../text/expertName.js";

type ItemOf<K extends Item["kind"]> = Extract<Item, { kind: K }>;

/** An item that waits for the user. */
export type WaitingItem = ItemOf<"tool"> | ItemOf<"question"> | ItemOf<"proposal">;

/**
 * Returns what waits for the user: approvals, which hold up their task, before questions and proposals;
 * each oldest first. What is typed into the composer answers the Navigator, and the expert of a
 * brainstorm, so that their questions are left out.
 */
export function waitingItems(
  items: readonly Item[],
  { talkingTo }: Pick<PanelStatus, "talkingTo">,
): readonly WaitingItem[] {
  const approvals: WaitingItem[] = [];
  const others: WaitingItem[] = [];
  for (const item of items) {
    if (!waitsForUser(item)) continue;
    if (item.kind === "tool") approvals.push(item);
    if (item.kind === "proposal") others.push(item);
    if (item.kind === "question") {
      const isComposers = item.taskId === null && item.work === undefined;
      if (!isComposers && expertName(item.mode) !== talkingTo) others.push(item);
    }
  }
  return [...approvals, ...others];
}
