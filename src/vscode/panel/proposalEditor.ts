import * as vscode from "vscode";
import type { ApprovalRequest } from "../../core/approvals/approver.js";
import { UserError } from "../../core/errors.js";
import { lastPart } from "../../core/text/pathParts.js";
import { t } from "../text/words.js";
import { pause } from "../timing/pause.js";
import type { PanelApprover } from "./panelApprover.js";

/**
 * Files that keep their extension, because no language server follows addresses in their text, as the
 * one for JSON would. All other files are opened as plain text.
 */
const highlighted =
  /\.(c|cc|cjs|cpp|cs|css|cts|dart|ex|go|h|hpp|java|js|jsx|kt|less|lua|md|mjs|mts|php|py|r|rb|rs|scala|scss|sh|sql|swift|ts|tsx|vue)$/i;

/**
 * The most attempts to save a document that VS Code is saving by itself, and the milliseconds between
 * them.
 */
const mostAttempts = 20;
const attemptMs = 100;

/**
 * Lets the user edit a file's proposed content in an editor before allowing it. The content lies in a
 * file of the extension's own storage for as long as the approval waits.
 */
export class ProposalEditor implements vscode.Disposable {
  private readonly open = new Map<string, vscode.Uri>();

  private readonly subscription: vscode.Disposable;

  /** @param storage a folder outside the workspace; `undefined` where VS Code has none */
  constructor(
    private readonly storage: vscode.Uri | undefined,
    approver: PanelApprover,
  ) {
    this.subscription = approver.onDidSettle(({ approvalId }) => void this.done(approvalId));
  }

  /**
   * Opens the proposed content, beside the current file if there is one. Throws a {@link UserError} if
   * it cannot be edited in an editor.
   *
   * @param folder the workspace's folder
   */
  async show({ approvalId, action, editable }: ApprovalRequest, folder: vscode.Uri): Promise<void> {
    if (action.access !== "write" || editable?.kind !== "file" || this.storage === undefined) {
      throw new UserError(
        "notEditable",
        "Only a change to a text file can be edited before it is approved. Approve this as it is, or deny it and say what should be different.",
      );
    }
    const name = lastPart(action.path);
    const proposal =
      this.open.get(approvalId) ??
      vscode.Uri.joinPath(
        this.storage,
        "proposals",
        approvalId,
        highlighted.test(name) ? name : `${name}.txt`,
      );
    if (!this.open.has(approvalId)) {
      await vscode.workspace.fs.writeFile(proposal, new TextEncoder().encode(editable.text));
      this.open.set(approvalId, proposal);
    }
    const current = vscode.Uri.joinPath(folder, action.path);
    if (action.inside && (await isFile(current))) {
      const title = t("{0} (proposed, with your edits)", name);
      await vscode.commands.executeCommand("vscode.diff", current, proposal, title, {
        preview: false,
      });
    } else await vscode.window.showTextDocument(proposal, { preview: false });
  }

  /** Returns the text in the editor, saved or not. Throws a {@link UserError} if no editor was opened. */
  async text(approvalId: string): Promise<string> {
    const proposal = this.open.get(approvalId);
    if (proposal === undefined)
      throw new UserError("notOpenInEditor", "Open it in the editor first.");
    return (await vscode.workspace.openTextDocument(proposal)).getText();
  }

  private async done(approvalId: string): Promise<void> {
    const proposal = this.open.get(approvalId);
    if (proposal === undefined) return;
    this.open.delete(approvalId);
    // VS Code may be about to save the file by itself, which fails once the file is deleted.
    if (await closed(proposal)) {
      await vscode.workspace.fs.delete(vscode.Uri.joinPath(proposal, ".."), { recursive: true });
    }
  }

  dispose(): void {
    this.subscription.dispose();
  }
}

/** Closes the editors of the file. Returns `false` if the file cannot be saved or an editor stays open. */
async function closed(file: vscode.Uri): Promise<boolean> {
  const document = vscode.workspace.textDocuments.find(({ uri }) => isSame(uri, file));
  // Unsaved text was already taken, or is not wanted, so the user is not asked about it. It is saved
  // because VS Code reopens an editor that is closed with unsaved changes.
  for (let attempt = 0; document?.isDirty === true && attempt < mostAttempts; attempt++) {
    if (attempt > 0) await pause(attemptMs);
    await document.save();
  }
  if (document?.isDirty === true) return false;
  const tabs = tabsOf(file);
  return tabs.length === 0 || vscode.window.tabGroups.close(tabs);
}

function tabsOf(file: vscode.Uri): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.filter((tab) => shows(tab, file)));
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.File;
  } catch {
    return false;
  }
}

function shows({ input }: vscode.Tab, uri: vscode.Uri): boolean {
  if (input instanceof vscode.TabInputTextDiff) return isSame(input.modified, uri);
  return input instanceof vscode.TabInputText && isSame(input.uri, uri);
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}
