import type { CommandEvent } from "./commandEvent.js";
import type { ChecklistStep } from "./checklist.js";
import type { Intent } from "./tool.js";
import type { Usage } from "./messages.js";
import type { ModelErrorCode } from "../errors.js";
import type { Repair } from "./repair.js";
import type { Slip } from "./slip.js";

/** Where a person can change what decided about a call: a setting, or what they allowed before. */
export const deciders = [
  "rooroo.approvals.preset",
  "rooroo.approvals.categories",
  "rooroo.commands.allow",
  "rooroo.commands.deny",
  "rooroo.modes",
  "rooroo.limits.task",
  "rooroo.limits.day",
  "grants",
] as const;
export type DecidedBy = (typeof deciders)[number];

/** What an agent does, as it does it. `messageId` and `callId` are unique within a workspace. */
export type AgentEvent =
  | CommandEvent
  /** Not kept: {@link AgentEvent} `text` has the whole. */
  | { readonly type: "textDelta"; readonly messageId: string; readonly text: string }
  | { readonly type: "text"; readonly messageId: string; readonly text: string }
  /** The answer broke: what was told of this message is taken back, and it is asked for again. */
  | {
      readonly type: "askingAgain";
      readonly messageId: string;
      /** 2 for the first repetition. */
      readonly attempt: number;
      readonly attempts: number;
      readonly code: ModelErrorCode;
    }
  /** Once for a message. */
  | {
      readonly type: "repaired";
      readonly messageId: string;
      readonly repairs: readonly Repair[];
    }
  /** The model was told that this message is of no use, and goes on from there. */
  | { readonly type: "sentBack"; readonly messageId: string; readonly why: Slip }
  | {
      readonly type: "toolStarted";
      readonly callId: string;
      readonly tool: string;
      readonly title: string;
    }
  /** Not kept: `toolEnded` has what is worth keeping. */
  | { readonly type: "toolOutput"; readonly callId: string; readonly text: string }
  | {
      readonly type: "toolEnded";
      readonly callId: string;
      readonly ok: boolean;
      readonly output: string;
      readonly diff?: string;
      /** Lines of the output that people are to see at once. */
      readonly notes?: readonly string[];
      readonly durationMs: number;
    }
  | {
      readonly type: "approvalRequested";
      readonly approvalId: string;
      readonly callId: string;
      /** Why it is asked about, for the person. */
      readonly why: string;
      readonly decidedBy?: DecidedBy;
      readonly intent: Intent;
      /** What may be allowed beyond this call, in words; none where each call is asked about. */
      readonly offers?: readonly string[];
      /** What of it the person may write anew. */
      readonly editable?: "command" | "file";
    }
  | {
      readonly type: "approvalResolved";
      readonly approvalId: string;
      readonly allowed: boolean;
      /** When it is denied, the person's own words. */
      readonly reason?: string;
      /** When it is allowed for longer than this call, what and for how long, in words. */
      readonly granted?: string;
    }
  /** The task's steps as they are now, all of them; they stand in the place of those before. */
  | { readonly type: "checklist"; readonly steps: readonly ChecklistStep[] }
  /** It runs unasked; a command that is `sandboxed` runs in the sandbox. */
  | {
      readonly type: "callAllowed";
      readonly callId: string;
      readonly why: string;
      readonly decidedBy?: DecidedBy;
      readonly sandboxed?: boolean;
    }
  /** What runs is not what was asked about: the person wrote it anew. */
  | { readonly type: "callEdited"; readonly callId: string; readonly intent: Intent }
  /** One for each answer of a model; `null` where the server does not say what it took. */
  /** How much of the model's window the conversation takes; without `limit`: of one of unknown size. */
  | {
      readonly type: "context";
      readonly tokens: number;
      readonly limit?: number;
      /** The server does not count: it is guessed from the conversation's length. */
      readonly guessed?: boolean;
    }
  /** So many messages have been replaced by a summary, to make room. */
  | { readonly type: "summarised"; readonly messageId: string; readonly messages: number }
  | { readonly type: "usage"; readonly usage: Usage | null };
