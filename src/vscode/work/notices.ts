import * as vscode from "vscode";
import type { SettingValue } from "../../contributions/settings.js";
import type { ConversationId } from "../../core/ids.js";
import type { Notice } from "./notice.js";

/** The most keys of notices that are remembered over a reload. */
const mostKept = 200;
/** The name under which they are remembered. */
const kept = "notices.shown";

interface NoticesOptions {
  /**
   * Returns whether the user sees the conversation: a panel shows it, and the window is in front.
   *
   * @param conversation absent: any of them
   */
  readonly isLookedAt: (conversation: ConversationId | undefined) => boolean;
  /** Returns what the user wants to be told of. */
  readonly show: () => SettingValue<"notifications.show">;
  readonly memento: vscode.Memento;
}

/**
 * Tells somebody who looks elsewhere what needs them or is done, each thing once, also over a reload. Nothing
 * is told to somebody who sees the panel.
 */
export class Notices {
  constructor(private readonly options: NoticesOptions) {}

  /** Shows a notice and returns `true`, unless the settings or the panel make it needless. */
  tell(notice: Notice): boolean {
    const { isLookedAt } = this.options;
    const show = this.options.show();
    if (notice.key !== undefined && this.isKnown(notice.key)) return false;
    if (notice.isNotInPanel !== true && isLookedAt(notice.conversation)) return false;
    if (show === "none" || (show === "needsYou" && notice.kind === "done")) return false;
    void showNotice(notice);
    return true;
  }

  /** Returns whether the event was told of, or seen, before; from now on it was. */
  private isKnown(key: string): boolean {
    const { memento } = this.options;
    const before = memento.get<unknown>(kept);
    const keys = Array.isArray(before) ? (before as unknown[]) : [];
    if (keys.includes(key)) return true;
    void memento.update(kept, [...keys, key].slice(-mostKept));
    return false;
  }
}

/** Shows a notice, and runs what the user chooses. */
async function showNotice({ text, isWarning, buttons }: Notice): Promise<void> {
  const labels = buttons.map(({ label }) => label);
  const chosen =
    isWarning === true
      ? await vscode.window.showWarningMessage(text, ...labels)
      : await vscode.window.showInformationMessage(text, ...labels);
  const button = buttons.find(({ label }) => label === chosen);
  if (button) await vscode.commands.executeCommand(button.command, button.about);
}
