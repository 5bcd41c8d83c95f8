import * as vscode from "vscode";
import type { PendingQuestion } from "../../core/navigator/overview.js";

type Choice = vscode.QuickPickItem & { readonly answer: string | undefined };

/** Asks the user a question outside the panel: they choose a suggestion or type an answer of their own. */
export async function answerQuestion(question: PendingQuestion): Promise<string | undefined> {
  const { text, suggestions } = question;
  if (suggestions.length === 0) return type(text);
  const own: Choice = {
    label: vscode.l10n.t("Something else…"),
    answer: undefined,
    alwaysShow: true,
  };
  const chosen = await vscode.window.showQuickPick<Choice>(
    [...suggestions.map((answer) => ({ label: answer, answer })), own],
    { title: text, ignoreFocusOut: true },
  );
  return chosen === own ? type(text) : chosen?.answer;
}

async function type(question: string): Promise<string | undefined> {
  const typed = await vscode.window.showInputBox({ prompt: question, ignoreFocusOut: true });
  return typed === undefined || typed.trim() === "" ? undefined : typed;
}
