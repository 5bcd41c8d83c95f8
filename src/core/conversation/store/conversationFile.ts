import type { ConversationId } from "../../ids.js";
import type { Clock, Ids } from "../../ports/system.js";
import { journalPath } from "./journal.js";

/** The folder of the conversations: a file for each, with one signed event a line. */
export const conversationsFolder = ".rooroo/conversations";

/** The form of every conversation's id; it becomes a part of a path. */
export const conversationIdPattern = /^(?:\d[\da-f-]{0,59}|earlier)$/;

/** The conversation of a workspace from an earlier version. It stays in its own file, which is appended to as before. */
export const earlierConversation: ConversationId = "earlier";

/** Returns a new id with the time in UTC, so that files are in the order of their creation. */
export function newConversationId(clock: Clock, ids: Ids): ConversationId {
  const digits = clock.now().toISOString().replaceAll(/\D/g, "");
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${ids.hex(6)}`;
}

/** Returns the path of a conversation's events. */
export function conversationPath(id: ConversationId): string {
  return id === earlierConversation ? journalPath : `${conversationsFolder}/${id}.jsonl`;
}

/** Returns the path of the title that a person has given a conversation; without one, there is no such file. */
export function titlePath(id: ConversationId): string {
  return `${conversationsFolder}/${id}.title.json`;
}

/** Returns the path of what a client has chosen for a conversation; see `SessionChoices`. */
export function choicesPath(id: ConversationId): string {
  return `${conversationsFolder}/${id}.session.json`;
}
