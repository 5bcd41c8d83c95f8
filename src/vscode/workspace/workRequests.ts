import * as vscode from "vscode";
import type { ConversationId } from "../../core/ids.js";

interface JobRequest {
  readonly name: string;
  /** Where the user wants it; absent: in the conversation that is shown. */
  readonly conversation: ConversationId | undefined;
}

interface RunRequest {
  readonly request: string;
  readonly conversation: ConversationId | undefined;
  /** Called when the run is written down, or could not be begun. */
  readonly onBegun: () => void;
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
