import * as vscode from "vscode";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { PanelStatus } from "../../protocol/messages.js";
import { t } from "../text/words.js";
import { barText, barTooltip } from "./barText.js";

/** The status bar entry: what needs the user, else what runs, else how many tasks are queued. */
export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem("rooroo", vscode.StatusBarAlignment.Left, 10);
    this.item.name = "Rooroo";
  }

  get text(): string {
    return this.item.text;
  }

  show(status: PanelStatus, tasks: readonly TaskView[]): void {
    if (status.workspace === "none") {
      this.item.hide();
      return;
    }
    const { icon, words, isUrgent } = barText(status, tasks, t);
    this.item.command = isUrgent ? "rooroo.showWaiting" : "rooroo.focusChat";
    this.item.text = `$(${icon}) ${words}`;
    this.item.tooltip = tooltip(status, tasks);
    this.item.backgroundColor = isUrgent
      ? new vscode.ThemeColor("statusBarItem.warningBackground")
      : undefined;
    this.item.accessibilityInformation = { label: `Rooroo: ${words}`, role: "button" };
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}

function tooltip(status: PanelStatus, tasks: readonly TaskView[]): vscode.MarkdownString {
  const text = new vscode.MarkdownString(undefined, true);
  for (const { icon, words } of barTooltip(status, tasks, t)) {
    text.appendMarkdown(`$(${icon}) `).appendText(words).appendMarkdown("\n\n");
  }
  return text;
}
