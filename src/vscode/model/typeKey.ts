import * as vscode from "vscode";

/** Asks the user to type a key. Resolves to `undefined` if the user cancels. */
export async function typeKey(title: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t(
      "Stored in VS Code's secret storage, never in a file. Leave it empty to remove the stored key.",
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /[\s\p{Cc}]/u.test(value.trim())
        ? vscode.l10n.t("A key contains no spaces or line breaks.")
        : undefined,
  });
}
