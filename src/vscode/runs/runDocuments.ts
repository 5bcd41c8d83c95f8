import * as vscode from "vscode";
import type { RunOverview } from "../../core/runs/runOverview.js";
import { coalesce } from "../coalesce.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { showDocumentProblems } from "../workspace/documentProblems.js";
import { type RunDocument, runDocumentOf } from "./runDocumentOf.js";
import type { RunList } from "./runList.js";

/**
 * What editors show in run documents: problems of tables at their lines, the answers above a proposal
 * that waits, and the possible commands above a run's row.
 */
export class RunDocuments implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly diagnostics = vscode.languages.createDiagnosticCollection("rooroo-runs");
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly subscriptions: vscode.Disposable[];
  /** Updates the problems, with a short delay, when a document or the list changes. */
  private readonly refresh = coalesce(() => this.showProblems(), 200);

  constructor(
    private readonly workspace: CurrentWorkspace,
    private readonly list: RunList,
  ) {
    const pattern = "**/{db/process_runs,runs/*/feedback_for_user}.md";
    this.subscriptions = [
      vscode.languages.registerCodeLensProvider({ scheme: "file", pattern }, this),
      list.onDidChange(() => {
        this.lensesChanged.fire();
        this.refresh();
      }),
      vscode.workspace.onDidOpenTextDocument(this.refresh),
      vscode.workspace.onDidCloseTextDocument(this.refresh),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.path.endsWith(".md")) this.refresh();
      }),
    ];
  }

  dispose(): void {
    this.refresh.dispose();
    for (const one of this.subscriptions) one.dispose();
    this.diagnostics.dispose();
    this.lensesChanged.dispose();
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const found = await this.documentOf(document);
    const { runs } = this.list.overview;
    if (found?.kind === "proposal") {
      const run = runs.find(({ runId }) => runId === found.runId);
      return run === undefined || run.proposal === null ? [] : lenses(0, answers(run));
    }
    if (found?.kind !== "table" || found.table !== "process_runs") return [];
    return runs.flatMap((run) => {
      // Unsaved lines above it may have moved the row.
      const row = run.tableLine - 1;
      const isThere = row < document.lineCount && document.lineAt(row).text.includes(run.runId);
      return isThere ? lenses(row, commandsFor(run)) : [];
    });
  }

  private async documentOf({ uri }: vscode.TextDocument): Promise<RunDocument | undefined> {
    const { session } = this.workspace;
    if (session === undefined) return undefined;
    const layout = await (await session.runs()).layout();
    return runDocumentOf(uri, session.folder, layout);
  }

  private async showProblems(): Promise<void> {
    const { session } = this.workspace;
    if (session === undefined) return;
    const { problemsIn } = await session.runs();
    const { runs, problems } = this.list.overview;
    const listed = [...problems, ...runs.flatMap((run) => run.problems)];
    await showDocumentProblems(this.diagnostics, session.folder, listed, async (document) => {
      const found = await this.documentOf(document);
      if (found?.kind !== "table") return undefined;
      return problemsIn(found.table, document.getText());
    });
  }
}

function lenses(row: number, commands: readonly vscode.Command[]): vscode.CodeLens[] {
  const range = new vscode.Range(row, 0, row, 0);
  return commands.map((command) => new vscode.CodeLens(range, command));
}

function command(run: RunOverview, title: string, id: string): vscode.Command {
  return { command: id, title, arguments: [run.runId] };
}

function answers(run: RunOverview): vscode.Command[] {
  const { t } = vscode.l10n;
  return [
    command(run, t("Confirm"), "rooroo.confirmRun"),
    command(run, t("Change…"), "rooroo.changeProposal"),
    command(run, t("Cancel Run…"), "rooroo.cancelRun"),
  ];
}

function commandsFor(run: RunOverview): vscode.Command[] {
  const { t } = vscode.l10n;
  const { state, outputs } = run;
  return [
    ...(state === "here" ? [command(run, t("Stop"), "rooroo.stopRun")] : []),
    ...(state === "left" ? [command(run, t("Resume"), "rooroo.resumeRun")] : []),
    ...(state === "needsYou"
      ? [command(run, t("Open Proposal"), "rooroo.openProposal"), ...answers(run)]
      : []),
    ...(outputs.length > 0 ? [command(run, t("Open Outputs"), "rooroo.openRunOutputs")] : []),
  ];
}
