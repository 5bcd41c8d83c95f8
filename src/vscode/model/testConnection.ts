import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { DraftedStep } from "../../core/conversation/events/eventPublisher.js";
import { ModelError } from "../../core/errors.js";
import { testModel } from "../../core/models/testModel.js";
import { modelSteps } from "../../core/navigator/running/modelSteps.js";
import type { LanguageModel } from "../../core/ports/model.js";
import type { Clock } from "../../core/ports/system.js";
import { spoken } from "../../core/text/words.js";
import { errorText } from "../errors/errorText.js";
import { t } from "../text/words.js";

/** Sends the chosen model a small request, and shows the result and what to do about it. */
export async function testConnection(model: LanguageModel, clock: Clock): Promise<void> {
  const abort = new AbortController();
  try {
    const { callsTools, tookMs, countsTokens } = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: t("Testing the connection to the model…"),
        cancellable: true,
      },
      (_progress, token) => {
        token.onCancellationRequested(() => {
          abort.abort();
        });
        return testModel(model, clock, abort.signal);
      },
    );
    const took = t("{0} answered in {1} s", model.name, (tookMs / 1000).toFixed(1));
    const counts = countsTokens ? "" : ` ${t("It does not report token counts.")}`;
    if (callsTools) {
      await vscode.window.showInformationMessage(`${took}${t(" and calls tools.")}${counts}`);
      return;
    }
    const without = t("but does not support tool calls; Rooroo will use plain-text calls.");
    await offer(vscode.window.showWarningMessage, `${took}, ${without}${counts}`, [
      { type: "command", label: t("Select Model…"), command: "selectModel" },
    ]);
  } catch (error) {
    if (abort.signal.aborted) return;
    if (!(error instanceof ModelError)) throw error;
    await offer(vscode.window.showErrorMessage, errorText(error), modelSteps(error.code));
  }
}

async function offer(
  show: (message: string, ...items: string[]) => Thenable<string | undefined>,
  message: string,
  steps: readonly DraftedStep[],
): Promise<void> {
  const labels = steps.map(({ label }) => spoken(label, t));
  const chosen = await show(message, ...labels);
  const step = steps[labels.indexOf(chosen ?? "")];
  if (step?.type === "command")
    await vscode.commands.executeCommand(`rooroo.${step.command}` satisfies CommandId);
}
