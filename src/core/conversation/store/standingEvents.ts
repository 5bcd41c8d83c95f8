import type { Checkpoint } from "../events/events.js";

/** What tells of an event whether it takes others out of the conversation, or is taken out itself. */
export interface RestorableEvent {
  readonly type: string;
  readonly id?: string | undefined;
  readonly taskId?: string | null | undefined;
  readonly restoreId?: string | undefined;
  readonly scope?: string | undefined;
  readonly checkpoint?: Pick<Checkpoint, "kind" | "id"> | undefined;
}

/** Returns the index of the event with which a checkpoint begins; -1 if there is none. */
export function checkpointIndex(
  events: readonly RestorableEvent[],
  { kind, id }: Pick<Checkpoint, "kind" | "id">,
): number {
  return events.findIndex((event) =>
    kind === "message"
      ? event.type === "user" && event.id === id
      : event.type === "sessionStarted" && event.taskId === id,
  );
}

/** Returns the events that no restore has taken out of the conversation. */
export function standingEvents<E extends RestorableEvent>(events: readonly E[]): readonly E[] {
  const undone = new Set(
    events.flatMap((event) => (event.type === "restoreUndone" ? [event.restoreId] : [])),
  );
  let stand: E[] = [];
  for (const event of events) {
    const isRestore = event.type === "restored" && event.scope !== "files";
    if (isRestore && event.checkpoint !== undefined && !undone.has(event.restoreId)) {
      const position = checkpointIndex(stand, event.checkpoint);
      if (position >= 0) stand = stand.slice(0, position);
    }
    stand.push(event);
  }
  return stand;
}
