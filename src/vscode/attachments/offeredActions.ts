import * as vscode from "vscode";
import { t } from "../text/words.js";
import type { CodePlace } from "./codeActions.js";

/** Returns what is offered for a problem. */
export function offeredActions(
  place: CodePlace,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  return [
    action(t("Fix with Rooroo"), "rooroo.fixWithRooroo", place, diagnostics),
    action(t("Explain with Rooroo"), "rooroo.explainWithRooroo", place, diagnostics),
  ];
}

function action(
  title: string,
  command: string,
  place: CodePlace,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const offered = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  offered.command = { title, command, arguments: [place] };
  offered.diagnostics = [...diagnostics];
  return offered;
}
