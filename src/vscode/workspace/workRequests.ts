import * as vscode from "vscode";
import type { ConversationId, LongWork } from "../../core/ids.js";
import type { Beginning, RequestedWork } from "../../core/work/requestedWork.js";
import type { WorkAnswer } from "../../core/work/work.js";

/** Long work that the Navigator wants to begin. */
export interface WorkRequest {
  readonly work: RequestedWork;
  /** Where the user wants it; absent: in the conversation that is shown. */
  readonly conversation: ConversationId | undefined;
  /** Whoever begins it ends this, when its own records show it or it could not be begun. */
  readonly begun: Beginning;
}

/** What a person has said in answer to long work. */
interface WorkReply {
  readonly ref: LongWork;
  /** The question's or the proposal's. */
  readonly id: string;
  readonly answer: WorkAnswer;
  /** Called with what comes of it: it is refused if that is not asked any more. */
  readonly taken: (result: Promise<void>) => void;
}

/** Tells of what a Navigator wants of long work, so that it need not know what does it. */
export class WorkRequests implements vscode.Disposable {
  private readonly requested = new vscode.EventEmitter<WorkRequest>();
  readonly onDidRequest = this.requested.event;
  private readonly answered = new vscode.EventEmitter<WorkReply>();
  readonly onDidAnswer = this.answered.event;

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
