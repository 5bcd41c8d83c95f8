import type { AgentEvent } from "../agent/events.js";
import type { ProposalContent } from "./proposalContent.js";

/** Something to press under a notice. */
export type NextStep =
  /** Says `text` to the Navigator, as if the person had typed it. */
  | { readonly type: "say"; readonly label: string; readonly text: string }
  /** Runs one of the host's own commands, where there is a host with commands. */
  | {
      readonly type: "command";
      readonly label: string;
      readonly command: HostCommand;
      /** What it is about, as a run's id. */
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
 * What the panel, the tree, the status bar and the command line are told, in order. The
 * conversation's file keeps all but the passing ones (`isPassing`); none of it is the truth about a
 * task, which is in the queue and in the task's folder.
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
      /** Files that can be reviewed; absent for none. */
      readonly changedFiles?: number;
    }
  | {
      readonly type: "question";
      readonly questionId: string;
      /** `null`: the Navigator itself asks, and the next thing said is the answer. */
      readonly taskId: string | null;
      readonly mode: string;
      readonly text: string;
      readonly suggestions: readonly string[];
    }
  | { readonly type: "answered"; readonly questionId: string; readonly text: string }
  /** A run asks for the person's word; told anew when its document says something else. */
  | ({
      readonly type: "proposal";
      readonly proposalId: string;
      /** Markdown, of the one who speaks with the person. */
      readonly intro: string;
    } & ProposalContent)
  | {
      readonly type: "proposalAnswered";
      readonly proposalId: string;
      readonly answer: ProposalAnswer;
      /** What is to change. */
      readonly words: string;
    }
  | { readonly type: "agent"; readonly taskId: string; readonly event: AgentEvent }
  /** The queue or a task's files changed: lists are to be read anew. */
  | { readonly type: "tasksChanged" }
);

/** True for what a reader who comes later does not need. */
export function isPassing(event: ConversationEvent): boolean {
  if (event.type === "tasksChanged") return true;
  return (
    event.type === "agent" &&
    (event.event.type === "textDelta" || event.event.type === "toolOutput")
  );
}
