import * as vscode from "vscode";
import type { ChatView } from "./chatView.js";
import type { PanelApprover } from "./panelApprover.js";

/**
 * Shows one notification when an approval is pending and the panel is not visible. It quotes no model
 * output: a notification would turn parts of it into links.
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
      vscode.l10n.t("Rooroo is waiting for your approval."),
      show,
    );
    if (chosen === show) await chat.focus();
  }
}
