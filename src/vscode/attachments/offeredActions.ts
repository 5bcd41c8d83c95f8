import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import { t } from "../text/words.js";

/** What a code action hands to its command: the place of a problem. */
export interface CodePlace {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

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
  command: CommandId,
  place: CodePlace,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const offered = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  offered.command = { title, command, arguments: [place] };
  offered.diagnostics = [...diagnostics];
  return offered;
}
