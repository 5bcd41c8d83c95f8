import * as vscode from "vscode";
import { type CommitMessage, commitMessage } from "../../core/navigator/commitMessage.js";
import { t } from "../text/words.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import { gitRepository } from "./gitRepository.js";

/**
 * Has a model write a commit message into the input of Source Control. What somebody has typed there, also meanwhile, is
 * replaced only if they say so.
 *
 * @param argument the source control whose button was pressed
 * @throws {UserError} as `gitRepository` and `commitMessage` do
 */
export async function writeCommitMessage(
  session: WorkspaceSession,
  argument: unknown,
): Promise<void> {
  const { inputBox } = await gitRepository(session.folder, argument);
  const { experts } = (await session.runtime()).dependencies;
  const abort = new AbortController();
  let written: CommitMessage;
  try {
    written = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: t("Writing a commit message…"),
        cancellable: true,
      },
      (_progress, token) => {
        token.onCancellationRequested(() => {
          abort.abort();
        });
        return commitMessage(experts, abort.signal);
      },
    );
  } catch (error) {
    if (abort.signal.aborted) return;
    throw error;
  }
  if (!(await mayReplace(inputBox.value, written.message))) return;
  inputBox.value = written.message;
  const notes = notesOn(written);
  if (notes.length > 0) void vscode.window.showInformationMessage(notes.join(" "));
}

/** Asks whether what stands in the input may go; offers to copy the message instead. */
async function mayReplace(typed: string, message: string): Promise<boolean> {
  if (typed.trim() === "" || typed === message) return true;
  const [replace, copy] = [t("Replace"), t("Copy Message")];
  const chosen = await vscode.window.showWarningMessage(
    t("Replace the commit message that you have typed?"),
    { modal: true, detail: t("The new message:\n\n{0}", message) },
    replace,
    copy,
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(message);
  return chosen === replace;
}

function notesOn({ of, leftOut, outside, cut }: CommitMessage): string[] {
  return [
    ...(of === "staged"
      ? []
      : [t("Nothing is staged: the message is about all changes since the last commit.")]),
    ...(leftOut.length === 0
      ? []
      : [t("Not read, because they are hidden or may hold secrets: {0}.", leftOut.join(", "))]),
    ...(outside.length === 0
      ? []
      : [t("Staged, but not read outside of the opened folder: {0}.", outside.join(", "))]),
    ...(cut.length === 0
      ? []
      : [t("The changes are long: of these files, only a part was read: {0}.", cut.join(", "))]),
  ];
}
