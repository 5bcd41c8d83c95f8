import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import type { DocumentProblem } from "../../core/documents/documentProblem.js";
import type { Clock } from "../../core/ports/system.js";
import { type Said, spoken } from "../../core/text/words.js";
import { t } from "../text/words.js";
import { coalesce, type Coalesced } from "../timing/coalesce.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { ListedProblem } from "./row.js";
import type { WatchedList } from "./watchedList.js";

/** The source that VS Code names beside a problem. */
export const diagnosticSource = "Rooroo";

/**
 * Creates words above a row of a document.
 *
 * @param row 0-based
 * @param command makes the words a button
 */
export function lens(row: number, title: string, command: CommandId | "" = "", ...args: unknown[]) {
  const range = new vscode.Range(row, 0, row, 0);
  return new vscode.CodeLens(range, { title, command, arguments: args });
}

/** A problem in a file, as a list has it. */
interface ShownProblem extends Partial<ListedProblem> {
  readonly path: string;
  readonly line: number;
  readonly message: Said;
  /** 1-based. Default: the beginning of the line. */
  readonly column?: number;
}

interface WorkDocumentsOptions<T> {
  /** The name of the collection of problems. */
  readonly name: string;
  readonly list: WatchedList<T>;
  /** Returns the problems that the list knows of, in files as they are saved. */
  readonly listed: (model: T) => readonly ShownProblem[];
  /** Default: warning. */
  readonly severity?: vscode.DiagnosticSeverity;
  /** Returns the problems in an unsaved document; `undefined` if it is no document of this kind. */
  readonly typed?: (
    document: vscode.TextDocument,
    session: WorkspaceSession,
  ) => Promise<readonly DocumentProblem[] | undefined>;
  /** The documents with words above their lines, and those words. */
  readonly lenses?: {
    readonly pattern: string;
    of(document: vscode.TextDocument, session: WorkspaceSession): Promise<vscode.CodeLens[]>;
  };
}

/** Shows problems and commands at the lines of a list's documents. */
export class WorkDocuments<T> implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly diagnostics: vscode.DiagnosticCollection;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly subscriptions: vscode.Disposable[];
  /** Updates the problems, with a short delay, when a document or the list changes. */
  private readonly refresh: Coalesced;

  constructor(
    private readonly workspace: CurrentWorkspace,
    clock: Clock,
    private readonly options: WorkDocumentsOptions<T>,
  ) {
    this.refresh = coalesce(() => this.showProblems(), 200, clock);
    const { name, list, lenses } = options;
    this.diagnostics = vscode.languages.createDiagnosticCollection(name);
    this.subscriptions = [
      list.onDidChange(() => {
        this.lensesChanged.fire();
        this.refresh();
      }),
    ];
    // The list may have been read before anybody followed it.
    this.refresh();
    if (options.typed !== undefined) this.followDocuments();
    if (lenses === undefined) return;
    const selector = { scheme: "file", pattern: lenses.pattern };
    this.subscriptions.push(vscode.languages.registerCodeLensProvider(selector, this));
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { session } = this.workspace;
    return (session && (await this.options.lenses?.of(document, session))) ?? [];
  }

  dispose(): void {
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.diagnostics.dispose();
    this.lensesChanged.dispose();
  }

  private followDocuments(): void {
    const look = ({ uri }: { readonly uri: vscode.Uri }) => {
      if (uri.path.endsWith(".md")) this.refresh();
    };
    this.subscriptions.push(
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidCloseTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        look(document);
      }),
    );
    for (const document of vscode.workspace.textDocuments) look(document);
  }

  /** Shows the problems of unsaved documents as they are in the editor, all others as listed. */
  private async showProblems(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const { list, listed, typed, severity = vscode.DiagnosticSeverity.Warning } = this.options;
    const found = new Map<string, vscode.Diagnostic[]>();
    for (const { path, line, column = 1, rule, message: said } of listed(list.overview)) {
      const message = spoken(said, t);
      const uri = vscode.Uri.joinPath(session.folder, path).toString();
      const rest = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
      const one = diagnostic(rest, message, severity, rule);
      const before = found.get(uri) ?? [];
      const isKnown = before.some(
        ({ range, message: known }) => range.isEqual(one.range) && known === message,
      );
      if (!isKnown) found.set(uri, [...before, one]);
    }
    for (const document of typed === undefined ? [] : vscode.workspace.textDocuments) {
      // VS Code may hold outdated text of a document that has no unsaved changes.
      if (document.isClosed || !document.isDirty) continue;
      const problems = await typed?.(document, session);
      if (problems === undefined) continue;
      const shown = problems.map(({ row, rule, message }) =>
        diagnostic(textOf(document, row), spoken(message, t), severity, rule),
      );
      found.set(document.uri.toString(), shown);
    }
    this.diagnostics.clear();
    for (const [uri, shown] of found) this.diagnostics.set(vscode.Uri.parse(uri), shown);
  }
}

/** Returns the range of a row's text without its indentation. */
function textOf(document: vscode.TextDocument, row: number): vscode.Range {
  if (row >= document.lineCount) return new vscode.Range(row, 0, row, Number.MAX_SAFE_INTEGER);
  const { firstNonWhitespaceCharacterIndex: start, text } = document.lineAt(row);
  return new vscode.Range(row, start, row, text.length);
}

function diagnostic(
  range: vscode.Range,
  message: string,
  severity: vscode.DiagnosticSeverity,
  rule: string | undefined,
): vscode.Diagnostic {
  const found = new vscode.Diagnostic(range, message, severity);
  found.source = diagnosticSource;
  if (rule !== undefined) found.code = rule;
  return found;
}
