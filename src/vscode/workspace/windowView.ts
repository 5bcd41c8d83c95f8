import * as vscode from "vscode";
import type { Diagnostics, EditorFocus, EditorView } from "../../core/ports/editor.js";
import { folderPath } from "./folderPath.js";

/** The view of a folder's files in the window's editors. */
export class WindowView implements EditorView {
  constructor(
    private readonly folder: vscode.Uri,
    private readonly diagnostics: Diagnostics,
  ) {}

  focus(): EditorFocus | undefined {
    const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
    // While a panel between the editors has the focus, none of them is active.
    const editor = [active, ...visible].find((one) => this.pathOf(one) !== undefined);
    const path = this.pathOf(editor);
    if (editor === undefined || path === undefined) return undefined;
    const { document, selection } = editor;
    const paths = visible.map((one) => this.pathOf(one)).filter((one) => one !== undefined);
    const others = [...new Set(paths)].filter((one) => one !== path);
    const problems = [path, ...others]
      .flatMap((one) => this.diagnostics.problems(one))
      .filter(({ severity }) => severity === "error" || severity === "warning");
    const at = { path, line: selection.active.line + 1, others, problems };
    if (selection.isEmpty) return at;
    // A selection of whole lines ends at the beginning of the line after them.
    const { start, end } = selection;
    const to = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
    const text = document.getText(selection);
    return { ...at, selection: { from: start.line + 1, to, text } };
  }

  /** Returns the path in the folder; `undefined` for anything that is not a file of the folder. */
  private pathOf(editor: vscode.TextEditor | undefined): string | undefined {
    return editor && folderPath(this.folder, editor.document.uri);
  }
}
