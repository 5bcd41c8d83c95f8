import * as vscode from "vscode";
import { t } from "../text/words.js";

/** What a code action hands to its command: the place of a problem. */
export interface CodePlace {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
}

/** Offers to fix or explain a problem, after the quick fixes of the language itself. */
export function codeActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: "file" }, { scheme: "vscode-remote" }],
    {
      provideCodeActions(document, _range, { diagnostics }) {
        const [problem] = diagnostics;
        if (problem === undefined || !vscode.workspace.isTrusted) return [];
        const place: CodePlace = { uri: document.uri, range: problem.range };
        return [
          action(t("Fix with Rooroo"), "rooroo.fixWithRooroo", place, diagnostics),
          action(t("Explain with Rooroo"), "rooroo.explainWithRooroo", place, diagnostics),
        ];
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
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
