import type { ChecklistStep } from "../../agent/checklist.js";
import type { ContextParts } from "../../agent/context/contextParts.js";
import type { DecidedBy } from "../../agent/events.js";
import type { ToldAction } from "../../agent/tool.js";
import type { TaskId, LongWork } from "../../ids.js";
import type { NextStep, ProposalAnswer, ProposalContent, TaskEnd } from "../events/events.js";
import type { Finding } from "../events/finding.js";
import type { ShownAttachment } from "../input/attachment.js";
import type { ReplyTrouble } from "./replyRemark.js";

export interface ApprovalView {
  readonly approvalId: string;
  readonly action: ToldAction;
  readonly state: "open" | "allowed" | "denied" | "gone";
  /** The reason why the call was asked about. */
  readonly why?: DecisionView;
  /** See the event `approvalRequested`. */
  readonly options?: readonly string[];
  readonly editable?: "command" | "file";
  /** The machine of the team that asks, which is told whether it may, and no more. Absent: this one. */
  readonly machine?: string;
  readonly reason?: string;
  /** Set if more than this call is allowed: says what, and for how long. */
  readonly granted?: string;
}

/** The source of a decision about a call, and where to change it. */
export interface DecisionView {
  readonly text: string;
  readonly decidedBy?: DecidedBy;
  /** Whether the command ran in the sandbox. */
  readonly sandboxed?: boolean;
}

/** The fields of an event that its items have too. */
export interface ItemOrigin {
  readonly at: string;
  /** The job or run that the item belongs to. Absent: it belongs to a task, or to none. */
  readonly work?: LongWork;
}

/** An item of the panel. `id` is unique in the conversation; a changed item is a new object. */
export type Item = { readonly id: string } & ItemOrigin &
  (
    | {
        readonly kind: "user";
        readonly text: string;
        /** The session whose agent was told this while it worked. Absent: it was said to the Navigator. */
        readonly to?: TaskId;
        /** Absent: nothing came with the text. */
        readonly attachments?: readonly ShownAttachment[];
        /** The slug of the expert that the user has chosen for it. */
        readonly expert?: string;
      }
    | {
        readonly kind: "notice";
        readonly level: "info" | "warning" | "error";
        readonly text: string;
        readonly steps: readonly NextStep[];
      }
    | {
        readonly kind: "task";
        readonly taskId: TaskId;
        readonly mode: string;
        readonly goal: string;
        /** The plan of which it is a part. Absent: it is in none. */
        readonly planId?: string;
        readonly running: boolean;
      }
    | ({
        readonly kind: "text";
        readonly taskId: TaskId;
        readonly text: string;
        readonly streaming: boolean;
      } & ReplyTrouble)
    | {
        readonly kind: "tool";
        readonly taskId: TaskId;
        /** The call's id, where it is not the item's: the call has begun before, in another item. */
        readonly callId?: string;
        readonly tool: string;
        readonly title: string;
        readonly state: "running" | "ok" | "failed" | "interrupted";
        /** Whether the call has started a command that keeps printing after the call has ended. */
        readonly runsOn?: boolean;
        /** The output; if it is long, its end while the tool runs, and its beginning and end afterwards. */
        readonly output: string;
        /** Number of characters of the whole output that `output` lacks. */
        readonly omitted: number;
        readonly diff?: string;
        /** Lines of the output that are shown even if the rest is not. */
        readonly notes?: readonly string[];
        readonly durationMs?: number;
        readonly approval?: ApprovalView;
        /** Says why the call ran without asking a person. */
        readonly allowed?: DecisionView;
        /** The action that ran instead of the proposed one. */
        readonly edited?: ToldAction;
      }
    /** What a model thought before a reply. */
    | {
        readonly kind: "reasoning";
        readonly taskId: TaskId;
        readonly text: string;
        readonly streaming: boolean;
        readonly durationMs?: number;
      }
    /** The current steps of a task's run, shown where they were first reported. */
    | {
        readonly kind: "checklist";
        readonly taskId: TaskId;
        readonly steps: readonly ChecklistStep[];
      }
    | {
        readonly kind: "question";
        /** `null`: the Navigator itself asks or, with `work`, a job that another process runs. */
        readonly taskId: TaskId | null;
        readonly mode: string;
        readonly text: string;
        readonly suggestions: readonly string[];
        /** The machine of the team on which the task works. Absent: it works here. */
        readonly machine?: string;
        /** Whether the asker's last message, right above, is this very text. */
        readonly repeats?: boolean;
        readonly answer?: string;
        /** Whether the user has left the brainstorm that asks it. */
        readonly closed?: boolean;
        /** Whether the answer is shown already, as user input. */
        readonly wasTyped?: boolean;
      }
    /** A run's proposal and, once the user has answered it, the answer. */
    | ({
        readonly kind: "proposal";
        readonly intro: string;
        readonly answer?: ProposalAnswer;
        readonly words?: string;
      } & ProposalContent)
    /** A plan from the moment at which its planner begins. */
    | {
        readonly kind: "plan";
        /** The planner's task. */
        readonly taskId: TaskId;
        readonly planId: string;
        readonly goal: string;
        /** The planner's words about the plan, Markdown. */
        readonly overview?: string;
        /** Whether the planner is at work, or how it ended last. */
        readonly planner: "working" | TaskEnd;
        /** In plan order; none as long as there is no plan. */
        readonly tasks: readonly PlanTask[];
      }
    | {
        readonly kind: "report";
        readonly taskId: TaskId;
        readonly mode: string;
        readonly end: TaskEnd;
        readonly message: string;
        readonly artifacts: readonly string[];
        /** Number of files that can be reviewed. Absent: none. */
        readonly changedFiles?: number;
        /** What a review has found. Absent: the task was none. */
        readonly findings?: readonly Finding[];
        /** Set if the changes were undone: when, and the paths of the files that were left alone. */
        readonly undone?: { readonly at: string; readonly left: readonly string[] };
      }
  );

export interface PlanTask {
  readonly taskId: TaskId;
  readonly mode: string;
  readonly goal: string;
  /** `skipped`: it was removed before it began. `stopped`: it has begun and does not run now. */
  readonly state: "waiting" | "running" | "needsYou" | "stopped" | "done" | "failed" | "skipped";
  /** Whether the queue stops before this task until the user says so. */
  readonly isHeld: boolean;
  /** Whether other machines have it. */
  readonly isAway?: boolean;
  /** When it was last started, ISO 8601. */
  readonly startedAt?: string;
  /** The time of its earlier runs, in milliseconds. */
  readonly workedMs: number;
  /** US dollars; `null` where the price of a call is not known. */
  readonly costUsd: number | null;
  readonly tokens: number;
}

/** The total usage of this conversation's model calls. */
export interface UsageTotals {
  readonly calls: number;
  /** Number of calls whose usage the server did not report. */
  readonly uncounted: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** US dollars; absent where a call's price is unknown. */
  readonly costUsd?: number;
  /** The cost of the last day on which a model was asked. */
  readonly day?: DayCost;
  /** The use of the model's context window at the last request, in tokens. Without `limit`: its size is unknown. */
  readonly context?: {
    readonly tokens: number;
    readonly limit?: number;
    readonly guessed?: boolean;
    /** What these tokens are. Absent: an earlier version wrote the event. */
    readonly parts?: ContextParts;
    /** The agent session whose request that was. */
    readonly taskId?: TaskId;
  };
}

export interface DayCost {
  /** Local date, as in `2026-11-20`. */
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
