import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { EditorDocuments } from "../../core/ports/editor.js";
import type { FileSystem } from "../../core/ports/files.js";
import { sameBytes } from "../../core/text/textFile.js";

/** The text documents that this window holds, whether or not an editor shows them. */
export class WorkspaceDocuments implements EditorDocuments {
  constructor(private readonly files: FileSystem) {}

  async unsaved(path: string): Promise<Uint8Array | undefined> {
    const document = await this.dirty(path);
    return document && bytesOf(document);
  }

  async replace(path: string, content: Uint8Array, expected: Uint8Array): Promise<boolean> {
    const document = await this.dirty(path);
    if (document === undefined) return false;
    const { encoding, version } = document;
    const [held, text, { textDifference }] = await Promise.all([
      bytesOf(document),
      vscode.workspace.decode(content, { encoding }),
      import("./textDifference.js"),
    ]);
    // The user may have typed in the meantime.
    if (document.version !== version || !sameBytes(held, expected)) return false;
    const edit = new vscode.WorkspaceEdit();
    const { range, newText } = textDifference(document, text);
    edit.replace(document.uri, range, newText);
    if (!(await vscode.workspace.applyEdit(edit))) return false;
    if (await document.save()) return true;
    throw new UserError(
      "documentUnsaved",
      "The editor could not save {path}. The change is in the editor and not on disk. Save it there.",
      { path },
    );
  }

  /**
   * Returns the unsaved document of a file, which may be open under another name: through a link, or in
   * different case.
   */
  private async dirty(path: string): Promise<vscode.TextDocument | undefined> {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty || document.uri.scheme !== "file" || document.isClosed) continue;
      if ((await this.files.locate(document.uri.fsPath)).path === path) return document;
    }
    return undefined;
  }
}

async function bytesOf(document: vscode.TextDocument): Promise<Uint8Array> {
  const { encoding } = document;
  return vscode.workspace.encode(document.getText(), { encoding });
}
