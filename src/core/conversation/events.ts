import type { AgentEvent } from "../agent/events.js";
import type { ProposalContent } from "./proposalContent.js";
import type { UserAction } from "./userAction.js";

/** A button under a notice. */
export type NextStep =
  /** Has the Navigator carry out the action. */
  | { readonly type: "action"; readonly label: string; readonly action: UserAction }
  /** Runs one of the host's own commands, where there is a host with commands. */
  | {
      readonly type: "command";
      readonly label: string;
      readonly command: HostCommand;
      /** What the command is about, such as a run's id. */
      readonly about?: string;
    };

export const hostCommands = [
  "setApiKey",
  "selectModel",
  "openSettings",
  "openActivityLog",
  "openQueue",
  "openRunOutputs",
  "showEarlierMessages",
  "useSandbox",
] as const;
export type HostCommand = (typeof hostCommands)[number];

export const proposalAnswers = ["confirmed", "changed", "cancelled"] as const;
export type ProposalAnswer = (typeof proposalAnswers)[number];

/** How a task's activation ended. `Stopped`: by the person; `Waiting`: for the person. */
export type TaskEnd = "Done" | "Failed" | "NeedsClarification" | "Advice" | "Stopped" | "Waiting";

/**
 * An event for the panel, the tree, the status bar and the command line, which receive events in order. The
 * conversation's file stores all but the transient ones (`isPassing`). No event is authoritative about a
 * task: its state is in the queue and in the task's folder.
 */
export type ConversationEvent = { readonly at: string /* ISO 8601 */ } & (
  | { readonly type: "user"; readonly id: string; readonly text: string }
  | {
      readonly type: "notice";
      readonly id: string;
      readonly level: "info" | "warning" | "error";
      /** Markdown. */
      readonly text: string;
      readonly steps: readonly NextStep[];
      /** What the notice is about, if it is not to be told again. */
      readonly topic?: string;
    }
  | {
      readonly type: "taskStarted";
      readonly taskId: string;
      readonly mode: string;
      readonly goal: string;
    }
  | {
      readonly type: "taskEnded";
      readonly taskId: string;
      readonly mode: string;
      readonly end: TaskEnd;
      readonly message: string;
      readonly artifacts: readonly string[];
      /** Number of files that can be reviewed. Absent: none. */
      readonly changedFiles?: number;
    }
  | {
      readonly type: "question";
      readonly questionId: string;
      /** `null`: the Navigator itself asks, and the next user input is the answer. */
      readonly taskId: string | null;
      readonly mode: string;
      readonly text: string;
      readonly suggestions: readonly string[];
    }
  | { readonly type: "answered"; readonly questionId: string; readonly text: string }
  /** A run asks for the user's confirmation. Emitted again when its document has changed. */
  | ({
      readonly type: "proposal";
      readonly proposalId: string;
      /** An introduction in Markdown, by the agent that speaks with the user. */
      readonly intro: string;
    } & ProposalContent)
  | {
      readonly type: "proposalAnswered";
      readonly proposalId: string;
      readonly answer: ProposalAnswer;
      /** What the user wants changed. */
      readonly words: string;
    }
  | { readonly type: "agent"; readonly taskId: string; readonly event: AgentEvent }
  /** The queue or a task's files changed, so lists must be read again. */
  | { readonly type: "tasksChanged" }
);

/** True for events that a later reader does not need. */
export function isPassing(event: ConversationEvent): boolean {
  if (event.type === "tasksChanged") return true;
  return (
    event.type === "agent" &&
    (event.event.type === "textDelta" || event.event.type === "toolOutput")
  );
}
