import * as vscode from "vscode";
import type { Diagnostics, Problem } from "../../core/ports/editor.js";
import { folderPath } from "./folderPath.js";

const severities = ["error", "warning", "information", "hint"] as const;

/** The problems that VS Code's language servers and linters report about a folder's files. */
export class EditorDiagnostics implements Diagnostics {
  constructor(private readonly folder: vscode.Uri) {}

  problems(path: string): Problem[] {
    const found = vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
      const file = folderPath(this.folder, uri);
      if (file === undefined || !isBelow(file, path)) return [];
      return diagnostics.map((diagnostic) => problemOf(file, diagnostic));
    });
    return found.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  }

  async watch(path: string): Promise<boolean> {
    const uri = vscode.Uri.joinPath(this.folder, path);
    const isOpen = ({ uri: open }: vscode.TextDocument) => open.toString() === uri.toString();
    if (path === "" || vscode.workspace.textDocuments.some(isOpen)) return false;
    try {
      // Language servers check open documents; no editor needs to show them.
      await vscode.workspace.openTextDocument(uri);
      return true;
    } catch {
      // It is a folder or a binary file, or does not exist yet.
      return false;
    }
  }

  onDidChange(listener: (paths: readonly string[]) => void): () => void {
    const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      listener(uris.flatMap((uri) => folderPath(this.folder, uri) ?? []));
    });
    return () => {
      subscription.dispose();
    };
  }
}

function isBelow(file: string, path: string): boolean {
  return path === "" || file === path || file.startsWith(`${path}/`);
}

function problemOf(path: string, diagnostic: vscode.Diagnostic): Problem {
  const { range, severity, message, source = "", code } = diagnostic;
  const name = typeof code === "object" ? code.value : code;
  return {
    path,
    line: range.start.line + 1,
    severity: severities[severity],
    message,
    source: name === undefined ? source : `${source} ${name}`.trim(),
  };
}
