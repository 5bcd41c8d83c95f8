import * as vscode from "vscode";
import type { ConversationEvent } from "../../core/conversation/events/events.js";
import type { Finding } from "../../core/conversation/events/finding.js";
import { visibleText } from "../../core/text/visibleText.js";
import { diagnosticSource } from "../work/workDocuments.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { movedLines } from "./movedLines.js";

const severities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
} as const;

const didClear = new vscode.EventEmitter<void>();

/** Clears what the last review has found. */
export function clearFindings(): void {
  didClear.fire();
}

/**
 * Shows what the last review has found as problems. A finding moves with its lines and goes when they are edited. Those
 * of a file that changes or is deleted without being open go, too, because their lines are not known any more.
 */
export class ReviewFindings implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("rooroo-review");
  /** The findings as they fit the files on disk, by address: what a document has again once its changes are discarded. */
  private readonly saved = new Map<string, readonly vscode.Diagnostic[]>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly workspace: CurrentWorkspace) {
    const files = vscode.workspace.createFileSystemWatcher("**/*");
    const forgetClosed = (uri: vscode.Uri) => {
      const isOpen = vscode.workspace.textDocuments.some(
        (document) => document.uri.toString() === uri.toString(),
      );
      if (!isOpen) this.forget(uri);
    };
    this.subscriptions = [
      didClear.event(() => {
        this.clear();
      }),
      workspace.onDidEmit(({ event }) => {
        this.take(event);
      }),
      vscode.workspace.onDidChangeTextDocument((change) => {
        this.follow(change);
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (this.saved.has(uri.toString())) this.keep(uri);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        const kept = this.saved.get(uri.toString());
        if (kept !== undefined) this.collection.set(uri, kept);
      }),
      files,
      files.onDidChange(forgetClosed),
      // A file that is replaced is told as a new one.
      files.onDidCreate(forgetClosed),
      files.onDidDelete((uri) => {
        this.forget(uri);
      }),
    ];
  }

  /** Shows what a review has found in place of what the one before has. */
  take(event: ConversationEvent): void {
    const { session } = this.workspace;
    if (event.type !== "sessionEnded" || event.findings === undefined) return;
    if (session === undefined) return;
    this.clear();
    const found = new Map<string, vscode.Diagnostic[]>();
    for (const finding of event.findings) {
      // A finding without a place stands in the report.
      if (finding.line === null) continue;
      const uri = vscode.Uri.joinPath(session.folder, finding.path).toString();
      const one = diagnostic(finding, finding.line);
      found.set(uri, [...(found.get(uri) ?? []), one]);
    }
    for (const [uri, diagnostics] of found) {
      this.collection.set(vscode.Uri.parse(uri), diagnostics);
      this.saved.set(uri, diagnostics);
    }
  }

  private clear(): void {
    this.collection.clear();
    this.saved.clear();
  }

  dispose(): void {
    for (const one of this.subscriptions) one.dispose();
    this.collection.dispose();
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const now = this.collection.get(document.uri);
    if (now === undefined || now.length === 0 || contentChanges.length === 0) return;
    const moved = now.flatMap((one) => {
      const { start, end } = one.range;
      const lines = movedLines({ from: start.line, to: end.line }, contentChanges);
      if (lines === undefined) return [];
      const next = new vscode.Diagnostic(wholeLines(lines), one.message, one.severity);
      next.source = diagnosticSource;
      return [next];
    });
    this.collection.set(document.uri, moved);
    // What another program has written is loaded without being an unsaved change.
    if (!document.isDirty) this.keep(document.uri);
  }

  private keep(uri: vscode.Uri): void {
    this.saved.set(uri.toString(), this.collection.get(uri) ?? []);
  }

  private forget(uri: vscode.Uri): void {
    if (!this.saved.delete(uri.toString())) return;
    this.collection.delete(uri);
  }
}

function diagnostic(
  { endLine, severity, message, suggestion }: Finding,
  line: number,
): vscode.Diagnostic {
  const words = [message, ...(suggestion === null ? [] : [suggestion])].map(visibleText);
  const lines = { from: line - 1, to: (endLine ?? line) - 1 };
  const found = new vscode.Diagnostic(wholeLines(lines), words.join("\n"), severities[severity]);
  found.source = diagnosticSource;
  return found;
}

function wholeLines({ from, to }: { readonly from: number; readonly to: number }): vscode.Range {
  return new vscode.Range(from, 0, to, Number.MAX_SAFE_INTEGER);
}
