import * as vscode from "vscode";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../core/approvals/approver.js";

interface Pending {
  readonly request: ApprovalRequest;
  answer(decision: ApprovalDecision): void;
}

/** Lets the person at the panel decide. A request waits for as long as the task does. */
export class PanelApprover implements Approver, vscode.Disposable {
  private readonly pending = new Map<string, Pending>();
  private readonly asked = new vscode.EventEmitter<ApprovalRequest>();
  readonly onDidAsk = this.asked.event;
  private readonly settled = new vscode.EventEmitter<ApprovalRequest>();
  /** Decided, or given up. */
  readonly onDidSettle = this.settled.event;

  /** How many requests wait. */
  get waiting(): number {
    return this.pending.size;
  }

  /** Ids of the tasks, and units of jobs, that wait for one. */
  get waitingTasks(): ReadonlySet<string> {
    return new Set([...this.pending.values()].map(({ request }) => request.taskId));
  }

  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const settle = () => {
        signal.removeEventListener("abort", abort);
        this.pending.delete(request.approvalId);
        this.settled.fire(request);
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
      this.pending.set(request.approvalId, { request, answer });
      this.asked.fire(request);
    });
  }

  /** What waits under this id; `undefined` when nobody here waits for it. */
  open(approvalId: string): ApprovalRequest | undefined {
    return this.pending.get(approvalId)?.request;
  }

  /** `false` when nobody here waits for this decision. */
  decide(approvalId: string, decision: ApprovalDecision): boolean {
    const waiting = this.pending.get(approvalId);
    waiting?.answer(decision);
    return waiting !== undefined;
  }

  dispose(): void {
    this.asked.dispose();
    this.settled.dispose();
  }
}
