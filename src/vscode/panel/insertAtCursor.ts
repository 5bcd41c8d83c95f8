import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";

/**
 * Inserts text at each cursor of the active text editor, in place of what is selected there. Returns the file's name.
 *
 * @throws a `UserError` if there is no such editor, or it cannot be changed
 */
export async function insertAtCursor(text: string): Promise<string> {
  const editor = activeEditor();
  if (editor === undefined) {
    throw new UserError(
      "noEditorToInsert",
      "There is no text editor to insert into. Open a file, and place the cursor.",
    );
  }
  const name = editor.document.uri.path.replace(/^.*\//, "");
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
  if (!isDone)
    throw new UserError(
      "editorUnchanged",
      "{name} cannot be changed. Place the cursor in a file that can.",
      { name },
    );
  editor.revealRange(editor.selection);
  return name;
}

/** Returns the active text editor; while a conversation in an editor is active, the only other one in sight. */
function activeEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const isFile = ({ document }: vscode.TextEditor) => document.uri.scheme !== "output";
  if (activeTextEditor && isFile(activeTextEditor)) return activeTextEditor;
  const [only, ...others] = visibleTextEditors.filter(isFile);
  return others.length === 0 ? only : undefined;
}
