import * as vscode from "vscode";
import { oddCharacter } from "../../core/models/oddCharacter.js";
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
    validateInput: keyProblem,
  });
}

/** Returns what is wrong with a typed key, for the input box. */
export function keyProblem(value: string): string | undefined {
  const key = value.trim();
  // A space that only looks like one has its own name below.
  if (/[ \t\r\n]/.test(key)) return t("A key contains no spaces or line breaks.");
  const odd = oddCharacter(key);
  return (
    odd &&
    t(
      "Character {0} of the key is {1}, which no key contains. Copy it once more, as plain text.",
      String(odd.place),
      odd.character,
    )
  );
}
