import * as vscode from "vscode";
import type { ConversationId } from "../../core/ids.js";
import type { Beginning, RequestedJob, RequestedRun } from "../../core/work/requestedWork.js";

interface WorkRequest {
  /** Where the user wants it; absent: in the conversation that is shown. */
  readonly conversation: ConversationId | undefined;
  /** Whoever begins it ends this, when its own records show it or it could not be begun. */
  readonly begun: Beginning;
}

interface JobRequest extends WorkRequest {
  readonly job: RequestedJob;
}

interface RunRequest extends WorkRequest {
  readonly run: RequestedRun;
}

/** Tells of the jobs and runs that a Navigator wants to begin, so that it need not know what runs them. */
export class WorkRequests implements vscode.Disposable {
  private readonly jobRequested = new vscode.EventEmitter<JobRequest>();
  readonly onDidRequestJob = this.jobRequested.event;
  private readonly runRequested = new vscode.EventEmitter<RunRequest>();
  readonly onDidRequestRun = this.runRequested.event;

  requestJob(job: JobRequest): void {
    this.jobRequested.fire(job);
  }

  requestRun(run: RunRequest): void {
    this.runRequested.fire(run);
  }

  dispose(): void {
    this.jobRequested.dispose();
    this.runRequested.dispose();
  }
}
