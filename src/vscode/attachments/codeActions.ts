import * as vscode from "vscode";

/** Offers to fix or explain a problem, after the quick fixes of the language itself. */
export function codeActions(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    [{ scheme: "file" }, { scheme: "vscode-remote" }],
    {
      async provideCodeActions(document, _range, { diagnostics }) {
        const [problem] = diagnostics;
        if (problem === undefined || !vscode.workspace.isTrusted) return [];
        const { offeredActions } = await import("./offeredActions.js");
        return offeredActions({ uri: document.uri, range: problem.range }, diagnostics);
      },
    },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
}
