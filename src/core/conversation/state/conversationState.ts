import { english, type Translate } from "../../text/translator.js";
import { type Item, noUsage, type UsageTotals } from "./items.js";

type ItemOf<K extends Item["kind"]> = Extract<Item, { kind: K }>;

/**
 * The state of a conversation after its events, in order. The container changes in place, so that one more
 * event costs the same however long the conversation is; the items in it never change.
 */
export interface ConversationState {
  /** The language of what is shown. */
  readonly t: Translate;
  /**
   * The items in order of appearance. New items are added at the end; a changed item replaces its
   * predecessor.
   */
  readonly items: Item[];
  /** The index of each item in {@link items}, by its id. */
  readonly positions: Map<string, number>;
  usage: UsageTotals;
  /** The id of the tool item that each approval belongs to, by the approval's id. */
  readonly approvals: Map<string, string>;
  /** The id of the newest tool item of each call that has begun more than once, by the call's id. */
  readonly calls: Map<string, string>;
  readonly tasks: Map<string, TaskCounts>;
  /** The id of the plan that each task belongs to, by the task's id; the planner's own task among them. */
  readonly plans: Map<string, string>;
  /** The id of the Navigator's own question, which the next user input answers. */
  ownQuestion: string | undefined;
  /** Ids of notices with next steps that become void when the user does something else. */
  readonly suggestions: Set<string>;
  /** What the notice of a restore that has not ended says when it was cut off, by the restore's id. */
  readonly restoring: Map<string, Pick<ItemOf<"notice">, "text" | "steps">>;
  /** The items that restores have taken out of the conversation, by the restore's id. */
  readonly takenBack: Map<string, TakenBack>;
  /** Ids of items in which something is going on: running, streaming, or waiting for an approval. */
  readonly live: Set<string>;
}

interface TakenBack {
  /** The items that were taken out. */
  readonly items: readonly Item[];
  /** Plans that stayed, as they were. */
  readonly plans: readonly ItemOf<"plan">[];
}

interface TaskCounts {
  readonly runs: number;
  readonly reports: number;
  /** Whether the last run has ended, with whatever result. */
  readonly ended: boolean;
}

/** A new or changed item. `before` is `undefined` if the item is new. */
export interface ItemChange {
  readonly before: Item | undefined;
  readonly after: Item;
}

export function newConversation(t: Translate = english): ConversationState {
  return {
    t,
    items: [],
    positions: new Map(),
    usage: noUsage,
    approvals: new Map(),
    calls: new Map(),
    tasks: new Map(),
    plans: new Map(),
    ownQuestion: undefined,
    suggestions: new Set(),
    restoring: new Map(),
    takenBack: new Map(),
    live: new Set(),
  };
}

/** Takes everything out of a conversation. */
export function clearConversation(state: ConversationState): void {
  const { items, positions, approvals, calls, tasks, plans, suggestions, live } = state;
  items.length = 0;
  for (const one of [positions, approvals, calls, tasks, plans, suggestions, live]) one.clear();
  for (const one of [state.restoring, state.takenBack]) one.clear();
  state.usage = noUsage;
  state.ownQuestion = undefined;
}

/** Replaces all items. */
export function replaceItems(state: ConversationState, items: readonly Item[]): void {
  state.items.length = 0;
  state.positions.clear();
  state.live.clear();
  for (const item of items) putItem(state, item);
}

export function itemById(state: ConversationState, id: string): Item | undefined {
  const position = state.positions.get(id);
  return position === undefined ? undefined : state.items[position];
}

/** Returns an item; `undefined` also if the id belongs to an item of another kind. */
export function itemOfKind<K extends Item["kind"]>(
  state: ConversationState,
  id: string,
  kind: K,
): ItemOf<K> | undefined {
  const item = itemById(state, id);
  return item?.kind === kind ? (item as ItemOf<K>) : undefined;
}

/** Returns the newest item of a call. */
export function callItem(state: ConversationState, callId: string): ItemOf<"tool"> | undefined {
  return itemOfKind(state, state.calls.get(callId) ?? callId, "tool");
}

/** Adds the item unless its id is known already. */
export function addItem(state: ConversationState, item: Item): ItemChange[] {
  return state.positions.has(item.id) ? [] : [putItem(state, item)];
}

/** Adds the item, or replaces the one with its id. */
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
    case "reasoning":
      return item.streaming;
    case "tool":
      return item.state === "running" || item.runsOn === true || item.approval?.state === "open";
    case "plan":
      return item.planner === "working" || item.tasks.some(({ state }) => state === "running");
    case "user":
    case "notice":
    case "checklist":
    case "question":
    case "proposal":
    case "report":
      return false;
  }
}
