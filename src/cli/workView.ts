import type { ConversationEvent } from "../core/conversation/events.js";

/** How a command's work came out. */
export interface WorkEnd {
  readonly status: "done" | "failed" | "waiting" | "stopped";
  readonly exitCode: number;
  /** The run that it was about. */
  readonly runId?: string;
}

/** What a person, or a program, gets to see of a conversation while it goes on. */
export interface WorkView {
  /** In order, passing events too. */
  show(event: ConversationEvent): void;
  end(end: WorkEnd): void;
}
