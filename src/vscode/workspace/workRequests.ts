import * as vscode from "vscode";

/** Tells of the jobs and runs that a Navigator wants to begin, so that it need not know what runs them. */
export class WorkRequests implements vscode.Disposable {
  private readonly jobRequested = new vscode.EventEmitter<string>();
  /** Fires with the name of a job. */
  readonly onDidRequestJob = this.jobRequested.event;
  private readonly runRequested = new vscode.EventEmitter<string>();
  /** Fires with the text of a request. */
  readonly onDidRequestRun = this.runRequested.event;

  requestJob(name: string): void {
    this.jobRequested.fire(name);
  }

  requestRun(request: string): void {
    this.runRequested.fire(request);
  }

  dispose(): void {
    this.jobRequested.dispose();
    this.runRequested.dispose();
  }
}
