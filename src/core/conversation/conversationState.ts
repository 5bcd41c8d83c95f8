import { type Item, noUsage, type UsageTotals } from "./items.js";

/**
 * What the ordered events amount to. A container that changes in place, so that one more event
 * costs the same however long the conversation is; the items in it never change.
 */
export interface ConversationState {
  /** In order of appearance: grows at its end only, a changed item takes its predecessor's place. */
  readonly items: Item[];
  /** Where each item is, by its id. */
  readonly positions: Map<string, number>;
  usage: UsageTotals;
  /** The tool item that each approval belongs to. */
  readonly approvals: Map<string, string>;
  readonly tasks: Map<string, TaskCounts>;
  /** The Navigator's own question, which what is said next answers. */
  ownQuestion: string | undefined;
  /** Items in which something is going on: running, streaming, or waiting for an approval. */
  readonly live: Set<string>;
}

interface TaskCounts {
  readonly runs: number;
  readonly reports: number;
  /** The last run has come to an end of its own, whatever that was. */
  readonly ended: boolean;
}

/** `before` is absent when the item is new. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item;
}

export function newConversation(): ConversationState {
  return {
    items: [],
    positions: new Map(),
    usage: noUsage,
    approvals: new Map(),
    tasks: new Map(),
    ownQuestion: undefined,
    live: new Set(),
  };
}

export function itemById(state: ConversationState, id: string): Item | undefined {
  const position = state.positions.get(id);
  return position === undefined ? undefined : state.items[position];
}

/** Adds the item, or puts it in the place of the one with its id. */
export function putItem(state: ConversationState, after: Item): ItemChange {
  const position = state.positions.get(after.id);
  if (isLive(after)) state.live.add(after.id);
  else state.live.delete(after.id);
  if (position === undefined) {
    state.positions.set(after.id, state.items.push(after) - 1);
    return { before: undefined, after };
  }
  const before = state.items[position];
  state.items[position] = after;
  return { before, after };
}

function isLive(item: Item): boolean {
  switch (item.kind) {
    case "task":
      return item.running;
    case "text":
      return item.streaming;
    case "tool":
      return item.state === "running" || item.runsOn === true || item.approval?.state === "open";
    case "user":
    case "notice":
    case "checklist":
    case "question":
    case "proposal":
    case "report":
      return false;
  }
}
