import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import { t } from "../text/words.js";
import { showProblem } from "../workspace/showProblem.js";
import { linkText } from "./linkText.js";

/**
 * Opens a link such as `vscode://rooroo.rooroo-navigator/ask?text=…`. Anybody can write one, so it only puts its
 * text into the panel's input, and says so: nothing is sent and nothing runs. The user is told of a link that Rooroo
 * does not know.
 */
export async function openLink(
  { path, query }: vscode.Uri,
  chat: { focus(text: string): Promise<void> },
  log: vscode.LogOutputChannel,
): Promise<void> {
  try {
    const text = linkText(path, query);
    if (text === undefined) {
      throw new UserError("linkUnknown", "Rooroo cannot open the link: {link}", {
        link: path.slice(0, 100),
      });
    }
    await chat.focus(text);
    void vscode.window.showInformationMessage(
      t("A link has put text into Rooroo's input. Nothing was sent. Read it before you send it."),
    );
  } catch (error) {
    await showProblem(error, log);
  }
}
