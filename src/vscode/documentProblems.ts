import * as vscode from "vscode";
import type { DocumentProblem } from "../core/documents/documentProblem.js";

/** Who is named beside a problem. */
export const diagnosticSource = "Rooroo";

/** A line of a file that breaks a rule, as lists have it. */
export interface ListedProblem {
  /** The workspace's. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  readonly rule: string;
  readonly message: string;
}

/**
 * Shows problems where they stand: of what is typed as it is there, of the rest as the files have it.
 *
 * @param diagnostics has no others afterwards
 * @param typed what is wrong in a document as it is; `undefined` for one that is none of these
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
    // VS Code may hold one that nobody has typed in as its file was once.
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
