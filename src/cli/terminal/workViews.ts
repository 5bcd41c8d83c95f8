import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { Finding } from "../../core/conversation/events/finding.js";
import type { RunId } from "../../core/ids.js";
import type { FollowUps } from "./followUps.js";
import type { Terminal } from "./terminal.js";
import { terminalJson } from "./terminalText.js";

/** The outcome of a command's work. */
export interface WorkEnd {
  readonly status: "done" | "failed" | "waiting" | "stopped";
  readonly exitCode: number;
  /** The run that the work was about. */
  readonly runId?: RunId;
  /** What a review has found. Absent: the work was none. */
  readonly findings?: readonly Finding[];
}

/** Shows a conversation to a person or to a program as it happens. */
export interface WorkView {
  /** Called with each event in order, passing events included. */
  show(event: ConversationEvent): void;
  end(end: WorkEnd): void;
}

/** Prints each event as one line of JSON as it happens; the last line is the outcome. */
export class JsonView implements WorkView {
  constructor(
    private readonly terminal: Terminal,
    private readonly followUps: FollowUps,
  ) {}

  show(event: ConversationEvent): void {
    this.followUps.after(event);
    this.line(event);
  }

  end(end: WorkEnd): void {
    this.line({ type: "outcome", ...end, next: this.followUps.all() });
  }

  private line(value: object): void {
    this.terminal.print(`${terminalJson(value)}\n`);
  }
}
