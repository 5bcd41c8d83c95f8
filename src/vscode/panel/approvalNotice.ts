import * as vscode from "vscode";
import type { ChatView } from "./chatView.js";
import type { PanelApprover } from "./panelApprover.js";

/**
 * Shows one notification when an approval is pending and the panel is not visible. It quotes no model
 * output: a notification would turn parts of it into links.
 */
export class ApprovalNotice implements vscode.Disposable {
  private isShown = false;
  private readonly subscriptions: vscode.Disposable[];

  constructor(approver: PanelApprover, chat: ChatView) {
    this.subscriptions = [
      approver.onDidAsk(() => void this.show(chat)),
      approver.onDidSettle(() => {
        if (approver.waiting === 0) this.isShown = false;
      }),
    ];
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
  }

  private async show(chat: ChatView): Promise<void> {
    if (this.isShown || chat.isShown) return;
    this.isShown = true;
    const show = vscode.l10n.t("Show");
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t("Rooroo is awaiting your approval."),
      show,
    );
    if (chosen === show) await chat.focus();
  }
}
