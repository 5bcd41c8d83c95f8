import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import { errorText } from "../errors/errorText.js";
import { t } from "../text/words.js";
import { NotOpenError } from "../workspace/currentWorkspace.js";

/** Shows why a command failed; an error that is not meant for the user is also logged. */
export async function showProblem(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  if (error instanceof NotOpenError) {
    const chosen = await vscode.window.showWarningMessage(errorText(error), error.offer.label);
    if (chosen !== undefined) await vscode.commands.executeCommand(error.offer.command);
    return;
  }
  if (error instanceof UserError) {
    await vscode.window.showWarningMessage(errorText(error));
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const showLog = t("Show Log");
  const chosen = await vscode.window.showErrorMessage(`Rooroo: ${errorText(error)}`, showLog);
  if (chosen === showLog) log.show();
}
