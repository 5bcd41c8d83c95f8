import * as vscode from "vscode";
import { decodeText } from "../../core/text/textFile.js";

const scheme = "rooroo-plan";
const texts = new Map<string, string>();
const changed = new vscode.EventEmitter<vscode.Uri>();
let registration: vscode.Disposable | undefined;

/**
 * Returns the URI of a read-only document with what landing a plan would make of a file. It has the file's own path, so
 * that VS Code shows it as the same file.
 */
export function planText(file: vscode.Uri, planId: string, content: Uint8Array): vscode.Uri {
  registration ??= vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? "",
  });
  const uri = file.with({ scheme, query: planId });
  texts.set(uri.toString(), decodeText(content)?.text ?? "");
  changed.fire(uri);
  return uri;
}
