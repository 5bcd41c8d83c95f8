/** What tells of an event whether it takes others out of the conversation, or is taken out itself. */
export interface RestorableEvent {
  readonly type: string;
  readonly id?: string | undefined;
  readonly restoreId?: string | undefined;
  readonly scope?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Returns the events that no restore has taken out of the conversation. */
export function standingEvents<E extends RestorableEvent>(events: readonly E[]): readonly E[] {
  const undone = new Set(
    events.flatMap((event) => (event.type === "restoreUndone" ? [event.restoreId] : [])),
  );
  let stand: E[] = [];
  for (const event of events) {
    const isRestore = event.type === "restored" && event.scope !== "files";
    if (isRestore && !undone.has(event.restoreId)) {
      const { messageId } = event;
      const position = stand.findIndex((one) => one.type === "user" && one.id === messageId);
      if (position >= 0) stand = stand.slice(0, position);
    }
    stand.push(event);
  }
  return stand;
}
