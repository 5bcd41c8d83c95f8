import type { Intent } from "../agent/tool.js";

export interface ApprovalRequest {
  readonly approvalId: string;
  readonly taskId: string;
  readonly callId: string;
  readonly intent: Intent;
}

export type ApprovalDecision =
  /** `task`: and the like of it for the rest of the task, as `Grants` understands "like". */
  | { readonly type: "allowed"; readonly scope: "once" | "task" }
  /** `reason` is the person's own words for the model. */
  | { readonly type: "denied"; readonly reason?: string }
  /** Nobody can be asked now (headless): the task waits, and asks again when it is resumed. */
  | { readonly type: "unavailable" };

/** Asks a person. May take days; rejects with the signal's reason when it aborts. */
export interface Approver {
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
