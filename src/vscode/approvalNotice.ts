import * as vscode from "vscode";
import type { ChatView } from "./chatView.js";
import type { PanelApprover } from "./panelApprover.js";

/**
 * Says so, once, when an approval waits and the panel is not in sight. It quotes nothing of what a
 * model says: a notification would make links of it.
 */
export class ApprovalNotice implements vscode.Disposable {
  private told = false;
  private readonly subscriptions: vscode.Disposable[];

  constructor(approver: PanelApprover, chat: ChatView) {
    this.subscriptions = [
      approver.onDidAsk(() => void this.tell(chat)),
      approver.onDidSettle(() => {
        if (approver.waiting === 0) this.told = false;
      }),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private async tell(chat: ChatView): Promise<void> {
    if (this.told || chat.isShown) return;
    this.told = true;
    const show = vscode.l10n.t("Show");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t("Rooroo waits for your approval."),
      show,
    );
    if (chosen === show) await chat.focus();
  }
}
