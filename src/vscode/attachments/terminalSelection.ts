import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";

/** The most characters of a terminal's text that are attached: its end says most. */
const maxText = 20_000;

/**
 * Returns the text that is selected in the active terminal. VS Code tells it only by the clipboard, whose text is put
 * back. Throws a {@link UserError} if nothing is selected.
 */
export async function terminalSelection(): Promise<{ kind: "terminal"; text: string }> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText("");
    await vscode.commands.executeCommand("workbench.action.terminal.copySelection");
    const text = (await clipboard.readText()).trim();
    if (text === "") {
      throw new UserError("terminalEmpty", "Select the text in the terminal first.");
    }
    return { kind: "terminal", text: text.slice(-maxText) };
  } finally {
    await clipboard.writeText(before);
  }
}
