import * as vscode from "vscode";
import { t } from "../text/words.js";

/** Asks the user to type a key. Resolves to `undefined` if the user cancels. */
export async function typeKey(title: string): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: t(
      "Stored in VS Code's secret storage, never in a file. Leave it empty to remove the stored key.",
    ),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) =>
      /[\s\p{Cc}]/u.test(value.trim()) ? t("A key contains no spaces or line breaks.") : undefined,
  });
}
