import type { ModelErrorCode } from "../errors.js";
import { cuts, type Usage } from "../ports/messages.js";
import type { PartsRefused } from "../ports/model.js";
import type { ChecklistStep } from "./checklist.js";
import type { ContextParts } from "./context/contextParts.js";
import type { CommandEvent } from "./taskCommands.js";
import type { ToldAction } from "./tool.js";

/** The sources of a decision about a call that the user can change: settings, and permissions given before. */
export const policySources = [
  "rooroo.approvals.preset",
  "rooroo.approvals.categories",
  "rooroo.commands.allow",
  "rooroo.commands.deny",
  "rooroo.modes",
  "rooroo.limits.task",
  "rooroo.limits.day",
  "grants",
] as const;
export type DecidedBy = (typeof policySources)[number];

/** Kinds of repairs that are made in a reply when its meaning is certain. */
export const repairs = [
  /** A call that was written into the text. */
  "textCall",
  "toolName",
  /** Arguments that were not quite valid JSON, or did not quite fit the tool. */
  "arguments",
] as const;
export type Repair = (typeof repairs)[number];

/** The reasons why a reply without a call is rejected as invalid. */
export const invalidReplies = ["empty", "noCall", "brokenEnvelope", ...cuts] as const;
export type InvalidReply = (typeof invalidReplies)[number];

/** An event of a running agent. `messageId` and `callId` are unique within a workspace. */
export type AgentEvent =
  | CommandEvent
  /** A piece of a message. Not stored: {@link AgentEvent} `text` has the whole. */
  | { readonly type: "textDelta"; readonly messageId: string; readonly text: string }
  | { readonly type: "text"; readonly messageId: string; readonly text: string }
  /** The model has begun to think; its thoughts are shown, and not sent back to it. */
  | { readonly type: "reasoningStarted"; readonly messageId: string }
  /** A piece of a model's reasoning. Not stored. */
  | { readonly type: "reasoningDelta"; readonly messageId: string; readonly text: string }
  /** The model has ended thinking. `text`: the reasoning or, if it is long, its beginning. */
  | { readonly type: "reasoning"; readonly messageId: string; readonly text: string }
  /** The reply failed: what was shown of this message is discarded, and the request is retried. */
  | {
      readonly type: "retrying";
      readonly messageId: string;
      /** Number of the attempt, 2 for the first retry. */
      readonly attempt: number;
      readonly attempts?: number | undefined;
      readonly code: ModelErrorCode;
      /** The milliseconds until then. Absent: it is retried in a moment. */
      readonly waitMs?: number | undefined;
    }
  /** The reply needed repairs. Emitted at most once for a message. */
  | {
      readonly type: "repaired";
      readonly messageId: string;
      readonly repairs: readonly Repair[];
    }
  | (PartsRefused & { readonly messageId: string })
  /** The reply was rejected: the model is told why and continues. */
  | { readonly type: "replyRejected"; readonly messageId: string; readonly why: InvalidReply }
  | {
      readonly type: "toolStarted";
      readonly callId: string;
      readonly tool: string;
      readonly title: string;
    }
  /** A piece of a running tool's output. Not stored: `toolEnded` has what is worth keeping. */
  | { readonly type: "toolOutput"; readonly callId: string; readonly text: string }
  | {
      readonly type: "toolEnded";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
      readonly diff?: string;
      /** Lines of the output that people should see at once. */
      readonly notes?: readonly string[];
      readonly durationMs: number;
    }
  | {
      readonly type: "approvalRequested";
      readonly approvalId: string;
      readonly callId: string;
      /** The reason for asking about the call, for the person. */
      readonly why: string;
      readonly decidedBy?: DecidedBy;
      readonly action: ToldAction;
      /** The permissions beyond this call that can be given, in words. Absent or empty: each call is asked about. */
      readonly options?: readonly string[];
      /** The part of the call that the person may rewrite. */
      readonly editable?: "command" | "file";
      /** The machine of the team that asks, which is told whether it may, and no more. Absent: this one. */
      readonly machine?: string;
    }
  | {
      readonly type: "approvalResolved";
      readonly approvalId: string;
      readonly allowed: boolean;
      /** The person's own words if the call is denied. */
      readonly reason?: string;
      /** The scope and duration, in words, if more than this call is allowed. */
      readonly granted?: string;
    }
  /** The task's current steps; they replace those of earlier events. */
  | { readonly type: "checklist"; readonly steps: readonly ChecklistStep[] }
  /** The call runs without asking a person; a command that is `sandboxed` runs in the sandbox. */
  | {
      readonly type: "callAllowed";
      readonly callId: string;
      readonly why: string;
      readonly decidedBy?: DecidedBy;
      readonly sandboxed?: boolean;
    }
  /** The person rewrote the call: `action` is what runs instead of what was proposed. */
  | { readonly type: "callEdited"; readonly callId: string; readonly action: ToldAction }
  /** The tokens of the conversation and of the model's context window. Without `limit`: the latter is unknown. */
  | {
      readonly type: "context";
      readonly tokens: number;
      readonly limit?: number;
      /** Whether `tokens` is estimated from the conversation's length, because the server does not count. */
      readonly guessed?: boolean;
      /** What these tokens are. Absent: an earlier version wrote the event. */
      readonly parts?: ContextParts;
    }
  /** A message that the user wrote to the agent at work was delivered; it may be told again after a crash. */
  | { readonly type: "messageDelivered"; readonly id: string; readonly text: string }
  /**
   * `messages` older messages were replaced by a summary, to compact the conversation. `asked`: because the user asked
   * for it; then it may be 0, because there was too little to summarise, or the model gave no summary.
   */
  | {
      readonly type: "summarised";
      readonly messageId: string;
      readonly messages: number;
      readonly asked?: boolean;
    }
  /** Emitted once for each reply of a model; `usage` is `null` if the server does not report it. */
  | { readonly type: "usage"; readonly usage: Usage | null };
