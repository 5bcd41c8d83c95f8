import type * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events.js";
import type { ConversationState } from "../../core/conversation/conversationState.js";
import type { Conversation } from "../workspace/conversation.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WatchedList } from "./watchedList.js";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;

/** An event of the conversation, without its time. */
export type CardEvent = WithoutTime<ConversationEvent>;

/**
 * Keeps cards in the conversation in line with the files that a list is read from.
 *
 * @param events returns what changes in the conversation, by what it shows now
 */
export function followCards<T>(
  list: WatchedList<T>,
  workspace: CurrentWorkspace,
  conversation: Conversation,
  events: (model: T, state: ConversationState) => readonly CardEvent[],
): vscode.Disposable {
  return list.onDidChange((model) => {
    const { session } = workspace;
    // Before the session has started, the earlier conversation is not known.
    if (session?.isStarted !== true) return;
    for (const event of events(model, conversation.state)) session.tell(event);
  });
}
