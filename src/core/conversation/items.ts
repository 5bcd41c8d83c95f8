import type { ChecklistStep } from "../agent/checklist.js";
import type { NextStep, ProposalAnswer, TaskEnd } from "./events.js";
import type { ProposalContent } from "./proposalContent.js";
import type { ReplyTrouble } from "./replyRemark.js";
import type { DecidedBy } from "../agent/events.js";
import type { Intent } from "../agent/tool.js";

export interface ApprovalView {
  readonly approvalId: string;
  readonly intent: Intent;
  readonly state: "open" | "allowed" | "denied" | "gone";
  /** Why it was asked about. */
  readonly why?: DecisionView;
  /** See the event `approvalRequested`. */
  readonly offers?: readonly string[];
  readonly editable?: "command" | "file";
  readonly reason?: string;
  /** When it is allowed for longer, what and for how long. */
  readonly granted?: string;
}

/** What decided about a call, and where that can be changed. */
export interface DecisionView {
  readonly text: string;
  readonly decidedBy?: DecidedBy;
  /** The command ran in the sandbox. */
  readonly sandboxed?: boolean;
}

/** One thing on the panel. `id` is unique in the conversation; a changed item is a new object. */
export type Item = { readonly id: string; readonly at: string } & (
  | { readonly kind: "user"; readonly text: string }
  | {
      readonly kind: "notice";
      readonly level: "info" | "warning" | "error";
      readonly text: string;
      readonly steps: readonly NextStep[];
    }
  | {
      readonly kind: "task";
      readonly taskId: string;
      readonly mode: string;
      readonly goal: string;
      readonly running: boolean;
    }
  | ({
      readonly kind: "text";
      readonly taskId: string;
      readonly text: string;
      readonly streaming: boolean;
    } & ReplyTrouble)
  | {
      readonly kind: "tool";
      readonly taskId: string;
      readonly tool: string;
      readonly title: string;
      readonly state: "running" | "ok" | "failed" | "interrupted";
      /** The call has started a command that goes on printing after the call has ended. */
      readonly runsOn?: boolean;
      /** A part of it when it is long: its end while the tool runs, beginning and end afterwards. */
      readonly output: string;
      /** Characters of the whole output that `output` lacks. */
      readonly omitted: number;
      readonly diff?: string;
      /** Lines of the output that are shown though the rest is not. */
      readonly notes?: readonly string[];
      readonly durationMs?: number;
      readonly approval?: ApprovalView;
      /** Why it ran unasked. */
      readonly allowed?: DecisionView;
      /** What ran instead of what was asked about. */
      readonly edited?: Intent;
    }
  /** The steps of a task's run, at the place where they were first told, as they are now. */
  | {
      readonly kind: "checklist";
      readonly taskId: string;
      readonly steps: readonly ChecklistStep[];
    }
  | {
      readonly kind: "question";
      readonly taskId: string | null;
      readonly mode: string;
      readonly text: string;
      readonly suggestions: readonly string[];
      /** The asker's last words, which are right above, are this very text. */
      readonly repeats?: boolean;
      readonly answer?: string;
      /** The answer is shown where the person said it. */
      readonly said?: boolean;
    }
  /** What a run is to hold to, until the person has answered it, and what they answered. */
  | ({
      readonly kind: "proposal";
      readonly intro: string;
      readonly answer?: ProposalAnswer;
      readonly words?: string;
    } & ProposalContent)
  | {
      readonly kind: "report";
      readonly taskId: string;
      readonly mode: string;
      readonly end: TaskEnd;
      readonly message: string;
      readonly artifacts: readonly string[];
      /** Files that can be reviewed; absent for none. */
      readonly changedFiles?: number;
    }
);

/** Sums over the calls of this conversation. */
export interface UsageTotals {
  readonly calls: number;
  /** Those of which the server did not say what they took. */
  readonly uncounted: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** US dollars; absent where a call's price is unknown. */
  readonly costUsd?: number;
  /** Of the last day on which a model was asked. */
  readonly day?: DayCost;
  /** How full a model's window was when it was last asked; without `limit` nobody knows its size. */
  readonly context?: {
    readonly tokens: number;
    readonly limit?: number;
    readonly guessed?: boolean;
  };
}

export interface DayCost {
  /** By the clock of the place, as in `2026-11-20`. */
  readonly date: string;
  readonly costUsd?: number;
}

export const noUsage: UsageTotals = {
  calls: 0,
  uncounted: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costUsd: 0,
};
