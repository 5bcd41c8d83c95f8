import type { Editable, ProposedAction } from "../agent/tool.js";
import type { TaskId } from "../ids.js";
import type { Said, Words } from "../text/words.js";

export interface ApprovalRequest {
  readonly approvalId: string;
  readonly taskId: TaskId;
  readonly callId: string;
  readonly action: ProposedAction;
  /** The reason for asking, in a sentence. */
  readonly why: Said;
  /** The permissions beyond this call that can be given, in words; empty if each call is asked about. */
  readonly options: readonly Words[];
  /** The part of the call that the person may rewrite. */
  readonly editable?: Pick<Editable, "kind" | "text">;
}

/**
 * The scopes of an approval: the call, the rest of its task, until this process ends, or until it is
 * revoked.
 */
export const approvalScopes = ["once", "task", "session", "always"] as const;
export type ApprovalScope = (typeof approvalScopes)[number];

export type ApprovalDecision =
  /** `option` is the index of the chosen permission among the request's options. Default: the first. */
  | { readonly type: "allowed"; readonly scope: ApprovalScope; readonly option?: number }
  /** The call is allowed with this text instead of the one proposed. */
  | { readonly type: "edited"; readonly text: string }
  /** `reason` is the person's own words for the model. */
  | { readonly type: "denied"; readonly reason?: string }
  /** No person can be asked now (headless): the task waits, and asks again when it is resumed. */
  | { readonly type: "unavailable" };

/** Asks a person. May take days; rejects with the signal's reason when it aborts. */
export interface Approver {
  /** Whether nobody can be asked at this moment. Absent: a person can be. */
  readonly isUnattended?: boolean;
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
