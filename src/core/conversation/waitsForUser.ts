import type { Item } from "./items.js";

/** Returns whether an item waits for the user: an open question, proposal or approval. */
export function waitsForUser(item: Item): boolean {
  switch (item.kind) {
    case "question":
      return item.answer === undefined && item.closed !== true;
    case "proposal":
      return item.answer === undefined;
    case "tool":
      return item.approval?.state === "open";
    default:
      return false;
  }
}
