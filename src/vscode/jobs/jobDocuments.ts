import * as vscode from "vscode";
import type { JobDocument } from "../../core/jobs/documents/jobDocument.js";
import { jobDocumentKind } from "../../core/jobs/documents/jobPlace.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";
import type { Fix } from "../../core/jobs/documents/logProblems.js";
import { coalesce } from "../coalesce.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { diagnosticSource, showDocumentProblems } from "../workspace/documentProblems.js";
import type { JobList } from "./jobList.js";
import { jobStemOf } from "./jobStemOf.js";
import { textDifference } from "../changes/textDifference.js";

/**
 * What editors show in job documents: problems at their lines with quick fixes, and commands above the
 * first line and above each open question.
 */
export class JobDocuments
  implements vscode.CodeLensProvider, vscode.CodeActionProvider, vscode.Disposable
{
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("rooroo-jobs");
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly subscriptions: vscode.Disposable[];
  /** Updates the problems, with a short delay, when a document or the list changes. */
  private readonly refresh = coalesce(() => this.showProblems(), 200);

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: JobList,
  ) {
    const selector = { scheme: "file", pattern: "**/.jixo/*.{job,task,log}.md" };
    const kinds = { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] };
    const look = ({ uri }: { readonly uri: vscode.Uri }) => {
      if (this.stemOf(uri) !== undefined) this.refresh();
    };
    this.subscriptions = [
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerCodeActionsProvider(selector, this, kinds),
      list.onDidChange(() => {
        this.lensesChanged.fire();
        this.refresh();
      }),
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidCloseTextDocument(look),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        look(document);
      }),
    ];
    for (const document of vscode.workspace.textDocuments) look(document);
  }

  dispose(): void {
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.diagnostics.dispose();
    this.lensesChanged.dispose();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const stem = this.stemOf(document.uri);
    const job = this.list.overview.find((one) => one.stem === stem);
    const kind = jobDocumentKind(document.uri.path);
    if (job === undefined || kind === undefined) return [];
    const top = new vscode.Range(0, 0, 0, 0);
    const first = commandsAbove(job, kind).map((command) => new vscode.CodeLens(top, command));
    const { questions } = await this.read(document);
    const answers = questions
      .filter(({ isOpen }) => isOpen)
      .map(({ id, row }) => {
        const title = vscode.l10n.t("Answer…");
        const command = { command: "rooroo.answerJob", title, arguments: [job.stem, id] };
        return new vscode.CodeLens(new vscode.Range(row, 0, row, 0), command);
      });
    return [...first, ...answers];
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const { session } = this.workspace;
    const ours = diagnostics.filter((one) => one.source === diagnosticSource);
    if (session === undefined || ours.length === 0) return [];
    if (jobDocumentKind(document.uri.path) !== "log") return [];
    const jobs = await session.jobs();
    const actions = new Map<string, vscode.CodeAction>();
    for (const found of ours) {
      for (const { message, fix, text } of jobs.fixes(document.getText(), found.range.start.line)) {
        if (message !== found.message) continue;
        const action = new vscode.CodeAction(fixTitle(fix), vscode.CodeActionKind.QuickFix);
        action.edit = new vscode.WorkspaceEdit();
        const { range, newText } = textDifference(document, text);
        action.edit.replace(document.uri, range, newText);
        action.diagnostics = [found];
        action.isPreferred = true;
        actions.set(JSON.stringify(fix), action);
      }
    }
    return [...actions.values()];
  }

  private stemOf(uri: vscode.Uri): string | undefined {
    const { session } = this.workspace;
    return session && jobStemOf(uri, session.folder);
  }

  private async read(document: vscode.TextDocument): Promise<JobDocument> {
    const { session } = this.workspace;
    const kind = jobDocumentKind(document.uri.path);
    if (session === undefined || kind === undefined) return { problems: [], questions: [] };
    return (await session.jobs()).document(kind, document.getText());
  }

  private async showProblems(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const listed = this.list.overview.flatMap((job) => job.problems);
    await showDocumentProblems(this.diagnostics, session.folder, listed, async (document) => {
      if (this.stemOf(document.uri) === undefined) return undefined;
      return (await this.read(document)).problems;
    });
  }
}

function commandsAbove(job: JobOverview, kind: "job" | "log"): vscode.Command[] {
  const { t } = vscode.l10n;
  const { stem, state, progress, tasks, logPath } = job;
  const command = (title: string, id: string): vscode.Command => {
    return { command: id, title, arguments: [stem] };
  };
  const done = t("{0}%, {1} of {2} tasks done", progress, tasks.done, tasks.total);
  return [
    state === "running"
      ? command(t("Stop Job"), "rooroo.stopJob")
      : command(t("Run Job…"), "rooroo.runJob"),
    ...(kind === "log" ? [command(t("Open Job File"), "rooroo.openJobFile")] : []),
    ...(kind === "job" && logPath !== null ? [command(t("Open Log"), "rooroo.openJobLog")] : []),
    ...(tasks.total > 0 ? [{ command: "", title: done }] : []),
  ];
}

function fixTitle(fix: Fix): string {
  const { t } = vscode.l10n;
  switch (fix.type) {
    case "progress":
      return t("Write Progress as the Tasks Say");
    case "box":
      return t("Set the Box as the Status Says");
    case "drop":
      return t("Take Out What Does Not Count");
    case "free":
      return t("Make the Task Pending");
  }
}
