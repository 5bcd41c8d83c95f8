import type { ConversationEvent, NextStep } from "../events/events.js";
import {
  addItem,
  itemOfKind,
  putItem,
  replaceItems,
  type ConversationState,
  type ItemChange,
} from "./conversationState.js";
import { planBefore, returnToPlan } from "./reducePlan.js";

type EventOf<T extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: T }>;

/** Returns whether the event takes items out of the conversation or puts them back, so that pages need all of it anew. */
export function movesItems({ type }: ConversationEvent): boolean {
  return type === "restored" || type === "restoreUndone";
}

/**
 * Takes the checkpoint and all that came after it out of the conversation, unless only files were restored, and says so.
 * The state keeps what is taken out, so that the restore can be undone.
 */
export function restore(state: ConversationState, event: EventOf<"restored">): ItemChange[] {
  const { restoreId: id, at, scope, text } = event;
  if (state.positions.has(id)) return [];
  if (scope !== "files") {
    const start = startOf(state, event);
    const [kept, items] = [state.items.slice(0, start), state.items.slice(start)];
    replaceItems(state, kept);
    state.takenBack.set(id, { items, plans: returnToPlan(state, event.returning) });
    state.ownQuestion = undefined;
  }
  const steps = [
    step(state.t("Finish Restore"), "finishRestore", id),
    step(state.t("Undo Restore"), "undoRestore", id),
  ];
  state.restoring.set(id, { text, steps });
  return addItem(state, {
    kind: "notice",
    id,
    at,
    level: "info",
    text: state.t("Restoring…"),
    steps: [],
  });
}

/** Returns the index of the first item to take out. */
function startOf({ items, positions }: ConversationState, { checkpoint }: EventOf<"restored">) {
  const { kind, id, at } = checkpoint;
  const own =
    kind === "message"
      ? positions.get(id)
      : items.findIndex((item) => item.kind === "task" && item.taskId === id);
  if (own !== undefined && own >= 0) return own;
  // It may lie before the part of the file that was read.
  const found = items.findIndex((item) => item.at >= at);
  return found < 0 ? items.length : found;
}

/** Offers to finish or undo restores that have not ended: in a conversation that was read, and when one has failed. */
export function offerUnfinished(state: ConversationState): ItemChange[] {
  return [...state.restoring].flatMap(([id, shown]) => {
    const notice = itemOfKind(state, id, "notice");
    return notice === undefined ? [] : [putItem(state, { ...notice, ...shown })];
  });
}

/** Says what has become of the files. */
export function endRestore(
  state: ConversationState,
  { restoreId, level, text }: EventOf<"restoreEnded">,
): ItemChange[] {
  state.restoring.delete(restoreId);
  const notice = itemOfKind(state, restoreId, "notice");
  if (notice === undefined) return [];
  const steps = [step(state.t("Undo Restore"), "undoRestore", restoreId)];
  return [putItem(state, { ...notice, level, text, steps })];
}

/** Puts back what a restore has taken out, in the place where it was. */
export function undoRestore(
  state: ConversationState,
  { restoreId, tasks, text, at }: EventOf<"restoreUndone">,
): ItemChange[] {
  state.restoring.delete(restoreId);
  const position = state.positions.get(restoreId);
  if (position === undefined) return [];
  const taken = state.takenBack.get(restoreId);
  state.takenBack.delete(restoreId);
  const back = (taken?.items ?? []).filter(({ id }) => !state.positions.has(id));
  const { items } = state;
  const all = [...items.slice(0, position), ...back, ...items.slice(position + 1)];
  replaceItems(
    state,
    all.map((item) => {
      if (item.kind !== "report" || !tasks.includes(item.taskId)) return item;
      const { undone, ...rest } = item;
      return undone === undefined ? item : rest;
    }),
  );
  for (const plan of taken?.plans ?? []) planBefore(state, plan);
  if (text === undefined) return [];
  const id = `${restoreId} undone`;
  return addItem(state, { kind: "notice", id, at, level: "warning", text, steps: [] });
}

function step(
  label: string,
  command: "finishRestore" | "undoRestore",
  restoreId: string,
): NextStep {
  return { type: "command", label, command, about: restoreId };
}
