import * as vscode from "vscode";
import type { ConversationId } from "../../core/ids.js";
import type { Beginning, RequestedWork } from "../../core/work/requestedWork.js";

/** Long work that the Navigator wants to begin. */
export interface WorkRequest {
  readonly work: RequestedWork;
  /** Where the user wants it; absent: in the conversation that is shown. */
  readonly conversation: ConversationId | undefined;
  /** Whoever begins it ends this, when its own records show it or it could not be begun. */
  readonly begun: Beginning;
}

/** Tells of the long work that a Navigator wants to begin, so that it need not know what does it. */
export class WorkRequests implements vscode.Disposable {
  private readonly requested = new vscode.EventEmitter<WorkRequest>();
  readonly onDidRequest = this.requested.event;

  request(work: WorkRequest): void {
    this.requested.fire(work);
  }

  dispose(): void {
    this.requested.dispose();
  }
}
