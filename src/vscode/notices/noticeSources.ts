import * as vscode from "vscode";
import type { ApprovalRequest } from "../../core/approvals/approver.js";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { ConversationId } from "../../core/ids.js";
import type { PanelApprover } from "../panel/panelApprover.js";
import { t } from "../text/words.js";
import type { Notices } from "../work/notices.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { EmittedEvent } from "../workspace/workspaceSession.js";

/** Loads the words of notices: nothing is told at the start. */
const loadWords = () => import("./noticeWords.js");

type Ended = Extract<ConversationEvent, { type: "sessionEnded" }>;

/** Tells of approvals, of questions, and of requests that have ended. Jobs and runs tell of themselves. */
export class NoticeSources implements vscode.Disposable {
  private readonly goals = new Map<string, string>();
  private ended: Ended[] = [];
  /** The conversation of the task that has ended last. */
  private endedIn: ConversationId = "";
  /** Whether the user was told that approvals wait, and has not decided all of them yet. */
  private isAsking = false;
  private readonly subscription: vscode.Disposable;

  constructor(
    private readonly notices: Notices,
    private readonly workspace: CurrentWorkspace,
    approver: PanelApprover,
  ) {
    this.subscription = vscode.Disposable.from(
      approver.onDidAsk((request) => void this.takeApproval(request)),
      approver.onDidSettle(() => {
        if (approver.waiting === 0) this.isAsking = false;
      }),
      workspace.onDidEmit((emitted) => {
        this.take(emitted);
      }),
    );
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private async takeApproval({ taskId, callId }: ApprovalRequest): Promise<void> {
    const { conversationOf, showButton } = await loadWords();
    const conversation = await conversationOf(taskId, this.workspace);
    if (this.isAsking) return;
    this.isAsking = this.notices.tell({
      key: `approval ${taskId} ${callId}`,
      kind: "needsYou",
      conversation,
      text: t("Rooroo is awaiting your approval."),
      // What may run is decided where all of it is shown.
      buttons: [showButton(conversation, t)],
    });
  }

  private take({ event, conversation }: EmittedEvent): void {
    if (event.type === "question") {
      void loadWords().then(({ questionNotice }) =>
        this.notices.tell(questionNotice(event, conversation, t)),
      );
      return;
    }
    if (event.work !== undefined) return;
    if (event.type === "sessionStarted") this.goals.set(event.taskId, event.goal);
    else if (event.type === "sessionEnded") {
      this.ended.push(event);
      this.endedIn = conversation;
    } else if (event.type === "tasksChanged" && this.workspace.session?.busy() !== true) this.end();
  }

  /** Everything that was asked for has ended. */
  private end(): void {
    const { ended, endedIn } = this;
    const goals = new Map(this.goals);
    this.ended = [];
    this.goals.clear();
    if (ended.length === 0) return;
    void loadWords().then(({ endNotice }) => {
      const notice = endNotice(ended, endedIn, (taskId) => goals.get(taskId), t);
      if (notice) this.notices.tell(notice);
    });
  }
}
