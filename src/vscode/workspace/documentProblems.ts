import * as vscode from "vscode";
import type { DocumentProblem } from "../../core/documents/documentProblem.js";

/** The source that VS Code names beside a problem. */
export const diagnosticSource = "Rooroo";

/** A line of a file that breaks a rule, as the overviews list it. */
export interface ListedProblem {
  /** The path, relative to the workspace. */
  readonly path: string;
  /** The line number, 1-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/**
 * Shows problems at their lines: those of unsaved documents as they are in the editor, all others as
 * listed from the files.
 *
 * @param diagnostics is cleared first, so it contains no other problems afterwards
 * @param typed returns the problems in an unsaved document; `undefined` if it is not such a document
 */
export async function showDocumentProblems(
  diagnostics: vscode.DiagnosticCollection,
  folder: vscode.Uri,
  listed: readonly ListedProblem[],
  typed: (document: vscode.TextDocument) => Promise<readonly DocumentProblem[] | undefined>,
): Promise<void> {
  const found = new Map<string, vscode.Diagnostic[]>();
  for (const { path, line, ...rest } of listed) {
    const uri = vscode.Uri.joinPath(folder, path).toString();
    const before = found.get(uri) ?? [];
    const one = diagnostic({ row: line - 1, ...rest });
    const isKnown = before.some(
      ({ range, message }) => range.isEqual(one.range) && message === one.message,
    );
    if (!isKnown) found.set(uri, [...before, one]);
  }
  for (const document of vscode.workspace.textDocuments) {
    // VS Code may hold outdated text of a document that has no unsaved changes.
    if (document.isClosed || !document.isDirty) continue;
    const problems = await typed(document);
    if (problems === undefined) continue;
    found.set(
      document.uri.toString(),
      problems.map((problem) => diagnostic(problem, document)),
    );
  }
  diagnostics.clear();
  for (const [uri, shown] of found) diagnostics.set(vscode.Uri.parse(uri), shown);
}

function diagnostic(
  { row, rule, message }: DocumentProblem,
  document?: vscode.TextDocument,
): vscode.Diagnostic {
  const isThere = document !== undefined && row < document.lineCount;
  const line = isThere ? document.lineAt(row) : undefined;
  const range =
    line === undefined
      ? new vscode.Range(row, 0, row, Number.MAX_SAFE_INTEGER)
      : new vscode.Range(row, line.firstNonWhitespaceCharacterIndex, row, line.text.length);
  const found = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Warning);
  found.source = diagnosticSource;
  found.code = rule;
  return found;
}
