import * as vscode from "vscode";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../core/approvals/approver.js";

interface Pending {
  readonly request: ApprovalRequest;
  answer(decision: ApprovalDecision): void;
}

/** Lets the user at the panel decide on approval requests. A request waits for as long as its task does. */
export class PanelApprover implements Approver, vscode.Disposable {
  private readonly pending = new Map<string, Pending>();
  private readonly asked = new vscode.EventEmitter<ApprovalRequest>();
  readonly onDidAsk = this.asked.event;
  private readonly settled = new vscode.EventEmitter<ApprovalRequest>();
  /** Fires when a request was decided, or its signal has aborted. */
  readonly onDidSettle = this.settled.event;

  /** The number of requests that wait for a decision. */
  get waiting(): number {
    return this.pending.size;
  }

  /** Ids of the tasks and job units that wait for an approval. */
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
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
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

  /** Returns the waiting request with this id; `undefined` if none waits in this window. */
  open(approvalId: string): ApprovalRequest | undefined {
    return this.pending.get(approvalId)?.request;
  }

  /** Decides a request. Returns `false` if none with this id waits in this window. */
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
