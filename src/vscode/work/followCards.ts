import type * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { ConversationState } from "../../core/conversation/state/conversationState.js";
import type { LongWork } from "../../core/ids.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WatchedList } from "./watchedList.js";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/** An event of the conversation, without its time. */
export type CardEvent = WithoutTime<ConversationEvent>;

/**
 * Keeps cards in the open conversations in line with the files that a list is read from.
 *
 * @param events returns what changes in a conversation, by what it shows now, and by which work it is to show
 */
export function followCards<T>(
  list: WatchedList<T>,
  workspace: CurrentWorkspace,
  events: (
    model: T,
    state: ConversationState,
    has: (work: LongWork) => boolean,
  ) => readonly CardEvent[],
): vscode.Disposable {
  const follow = (model: T): void => {
    const { session } = workspace;
    // Before the session has started, the earlier conversation is not known.
    if (session?.isStarted !== true) return;
    const { conversations } = session;
    for (const { id, state } of conversations.open) {
      const has = (work: LongWork): boolean => conversations.ofWork(work) === id;
      for (const event of events(model, state, has)) session.tell(event, id);
    }
  };
  follow(list.overview);
  return list.onDidChange(follow);
}
