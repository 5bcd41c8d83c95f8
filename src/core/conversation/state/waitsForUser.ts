import type { Item } from "./items.js";

/** Returns whether an item waits for the user: an open question, proposal or approval. */
export function waitsForUser(item: Item): boolean {
  if (item.kind === "question") return item.answer === undefined && item.closed !== true;
  if (item.kind === "proposal") return item.answer === undefined;
  return item.kind === "tool" && item.approval?.state === "open";
}
