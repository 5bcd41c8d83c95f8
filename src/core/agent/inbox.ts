import type { MessageImage } from "../ports/messages.js";
import { tagged } from "../text/tagged.js";

/** What the user has written to an agent while it works. */
export interface UserMessage {
  /** Unique in the workspace; the conversation shows the delivered message under it. */
  readonly id: string;
  readonly text: string;
  /** What is attached to the text, a block each. Absent: nothing. */
  readonly attached?: readonly string[] | undefined;
  readonly images?: readonly MessageImage[] | undefined;
  /** Set if it was written to an agent that did the work before, and was not told it. */
  readonly isHandedOn?: true | undefined;
}

/** The messages that wait for an agent's next turn. */
export interface Inbox {
  /**
   * Hands each waiting message to `deliver`, oldest first, and removes it when that has resolved. A message that
   * was delivered before a crash may be handed over again. Meanwhile no message is changed.
   */
  take(deliver: (message: UserMessage) => Promise<void>): Promise<void>;
  /** Returns whether a message waits. */
  hasMessages(): Promise<boolean>;
}

/** Returns a message as the agent is told it. */
export function toldMessage({ text, attached = [], isHandedOn }: Omit<UserMessage, "id">): string {
  const why = isHandedOn
    ? "The user has written this to the agent that worked before you, which did not read it any more"
    : "The user has written to you while you were working";
  const words = `${why}:\n\n${tagged("request", text)}`;
  return [words, ...attached].join("\n\n");
}

/** Returns the user's own words in what {@link toldMessage} returned. */
export function wordsIn(told: string): string {
  const [open, close] = ["<request>\n", "\n</request>"];
  const start = told.indexOf(open) + open.length;
  const end = told.indexOf(close, start);
  return start < open.length || end < 0 ? told : told.slice(start, end);
}

/** The result of a submission while the user's messages wait. */
export const messagesFirst =
  "This was not submitted yet: the user has written to you meanwhile. Read that first, do what it asks for, and submit again.";
