import * as vscode from "vscode";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../core/approvals/approver.js";

type Answer = (decision: ApprovalDecision) => void;

/** Lets the person at the panel decide. A request waits for as long as the task does. */
export class PanelApprover implements Approver, vscode.Disposable {
  private readonly pending = new Map<string, { taskId: string; answer: Answer }>();
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  /** How many requests wait. */
  get waiting(): number {
    return this.pending.size;
  }

  waitsFor(taskId: string): boolean {
    return [...this.pending.values()].some((one) => one.taskId === taskId);
  }

  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const settle = () => {
        signal.removeEventListener("abort", abort);
        this.pending.delete(request.approvalId);
        this.changed.fire();
      };
      const abort = () => {
        settle();
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the port says: the signal's reason
        reject(signal.reason);
      };
      const answer = (decision: ApprovalDecision) => {
        settle();
        resolve(decision);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.pending.set(request.approvalId, { taskId: request.taskId, answer });
      this.changed.fire();
    });
  }

  /** `false` when nobody here waits for this decision. */
  decide(approvalId: string, decision: ApprovalDecision): boolean {
    const waiting = this.pending.get(approvalId);
    waiting?.answer(decision);
    return waiting !== undefined;
  }

  dispose(): void {
    this.changed.dispose();
  }
}
