import type { ConversationEvent } from "../../core/conversation/events.js";

/** The outcome of a command's work. */
export interface WorkEnd {
  readonly status: "done" | "failed" | "waiting" | "stopped";
  readonly exitCode: number;
  /** The run that the work was about. */
  readonly runId?: string;
}

/** Shows a conversation to a person or to a program as it happens. */
export interface WorkView {
  /** Called with each event in order, passing events included. */
  show(event: ConversationEvent): void;
  end(end: WorkEnd): void;
}
