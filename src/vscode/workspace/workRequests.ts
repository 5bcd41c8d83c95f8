import * as vscode from "vscode";
import type { ConversationId, LongWork } from "../../core/ids.js";
import type { Beginning, RequestedWork } from "../../core/work/requestedWork.js";
import type { Work, WorkAnswer } from "../../core/work/work.js";

/** Long work that the Navigator wants to begin. */
export interface WorkRequest {
  readonly work: RequestedWork;
  /** Where the user wants it; absent: in the conversation that is shown. */
  readonly conversation: ConversationId | undefined;
  /** Whoever begins it ends this, when its own records show it or it could not be begun. */
  readonly begun: Beginning;
}

/** A person's answer to what long work asks. */
interface WorkReply {
  readonly ref: LongWork;
  /** The question's or the proposal's. */
  readonly id: string;
  readonly answer: WorkAnswer;
  /** Called with what comes of it, which is an error if the work does not ask that any more. */
  readonly taken: (result: Promise<void>) => void;
}

/** Connects a Navigator with the jobs and runs of the window, so that it need not know them. */
export class WorkRequests implements vscode.Disposable {
  private readonly requested = new vscode.EventEmitter<WorkRequest>();
  readonly onDidRequest = this.requested.event;
  private readonly answered = new vscode.EventEmitter<WorkReply>();
  readonly onDidAnswer = this.answered.event;

  /** Returns the long work as the lists show it; replaced by what has the lists. */
  works: () => readonly Work[] = () => [];

  request(work: WorkRequest): void {
    this.requested.fire(work);
  }

  /** Resolves when the answer is written down. Throws a `UserError` if that is not asked any more. */
  async answer(ref: LongWork, id: string, answer: WorkAnswer): Promise<void> {
    await new Promise<void>((resolve) => {
      const taken = (result: Promise<void>): void => {
        resolve(result);
      };
      this.answered.fire({ ref, id, answer, taken });
    });
  }

  dispose(): void {
    this.answered.dispose();
    this.requested.dispose();
  }
}
