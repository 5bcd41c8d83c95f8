import type { ChecklistStep } from "./checklist.js";
import type { Intent } from "./tool.js";
import type { Usage } from "./messages.js";
import type { ModelErrorCode } from "../errors.js";
import type { Repair } from "./repair.js";

/** What an agent does, as it does it. `messageId` and `callId` are unique within a workspace. */
export type AgentEvent =
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
      readonly durationMs: number;
    }
  | {
      readonly type: "approvalRequested";
      readonly approvalId: string;
      readonly callId: string;
      /** Why it is asked about, for the person. */
      readonly why: string;
      readonly intent: Intent;
    }
  | {
      readonly type: "approvalResolved";
      readonly approvalId: string;
      readonly allowed: boolean;
      readonly reason?: string;
    }
  /** The task's steps as they are now, all of them; they stand in the place of those before. */
  | { readonly type: "checklist"; readonly steps: readonly ChecklistStep[] }
  /** One for each answer of a model; `null` where the server does not say what it took. */
  | { readonly type: "usage"; readonly usage: Usage | null };
