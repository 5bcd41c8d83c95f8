import * as vscode from "vscode";
import { messageOf, UserError } from "../core/errors.js";
import { NotOpenError } from "./workspace/currentWorkspace.js";

/** Shows why a command failed; an error that is not meant for the user is also logged. */
export async function tellProblem(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  if (error instanceof NotOpenError) {
    const chosen = await vscode.window.showWarningMessage(error.message, error.offer.label);
    if (chosen !== undefined) await vscode.commands.executeCommand(error.offer.command);
    return;
  }
  if (error instanceof UserError) {
    await vscode.window.showWarningMessage(error.message);
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const showLog = vscode.l10n.t("Show Log");
  const chosen = await vscode.window.showErrorMessage(`Rooroo: ${messageOf(error)}`, showLog);
  if (chosen === showLog) log.show();
}
