import type * as vscode from "vscode";
import type { RunId } from "../../core/ids.js";
import type { Clock } from "../../core/ports/system.js";
import type { RunLayout } from "../../core/runs/documents/runLayout.js";
import { runTables, type TableName } from "../../core/runs/documents/runTables.js";
import type { RunOverview, RunsOverview } from "../../core/runs/runOverview.js";
import { t } from "../text/words.js";
import { lens, WorkDocuments } from "../work/workDocuments.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { RunList } from "./runList.js";

/** The role of a document in the runs. */
type RunDocument =
  | { readonly kind: "table"; readonly table: TableName; readonly runId: RunId | undefined }
  | { readonly kind: "proposal" | "file"; readonly runId: RunId };

/**
 * Shows in editors of run documents: problems of tables at their lines, the answers above a proposal that
 * waits, and the possible commands above a run's row.
 */
export function runDocuments(
  workspace: CurrentWorkspace,
  list: RunList,
  clock: Clock,
): WorkDocuments<RunsOverview> {
  return new WorkDocuments(workspace, clock, {
    name: "rooroo-runs",
    list,
    listed: ({ runs, problems }) => [...problems, ...runs.flatMap((run) => run.problems)],
    typed: async (document, session) => {
      const found = await documentOf(document.uri, session);
      if (found?.kind !== "table") return undefined;
      return (await session.works.runs()).problemsIn(found.table, document.getText());
    },
    lenses: {
      pattern: "**/{db/process_runs,runs/*/feedback_for_user}.md",
      of: async (document, session) => {
        const found = await documentOf(document.uri, session);
        const { runs } = list.overview;
        if (found?.kind === "proposal") {
          const run = runs.find(({ runId, proposal }) => runId === found.runId && proposal);
          return run === undefined ? [] : answerLenses(run, 0);
        }
        if (found?.kind !== "table" || found.table !== "process_runs") return [];
        // Unsaved lines may have moved a run's row.
        const rows = (await session.works.runs()).rowsOf(document.getText());
        return runs.flatMap((run) => {
          const row = rows.get(run.runId);
          return row === undefined ? [] : rowLenses(run, row);
        });
      },
    },
  });
}

/** Returns the role of a document in the runs; `undefined` for a file that does not belong to any run. */
export function runDocumentOf(
  uri: vscode.Uri,
  folder: vscode.Uri,
  { root }: RunLayout,
): RunDocument | undefined {
  const start = `${folder.path.replace(/\/$/, "")}/${root === "" ? "" : `${root}/`}`;
  if (uri.scheme !== folder.scheme || !uri.path.startsWith(start)) return undefined;
  const path = uri.path.slice(start.length);
  const [, own, name = ""] = /^(?:runs\/([^/]+)\/)?db\/(\w+)\.md$/.exec(path) ?? [];
  const isTable = (one: string): one is TableName => Object.hasOwn(runTables, one);
  if (isTable(name)) return { kind: "table", table: name, runId: own };
  const [, runId, rest] = /^(?:runs|outputs)\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (runId === undefined) return undefined;
  return { kind: rest === "feedback_for_user.md" ? "proposal" : "file", runId };
}

async function documentOf(
  uri: vscode.Uri,
  session: WorkspaceSession,
): Promise<RunDocument | undefined> {
  return runDocumentOf(uri, session.folder, await (await session.works.runs()).layout());
}

function answerLenses({ runId }: RunOverview, row: number): vscode.CodeLens[] {
  return [
    lens(row, t("Confirm"), "rooroo.confirmRun", runId),
    lens(row, t("Change…"), "rooroo.changeProposal", runId),
    lens(row, t("Cancel Run…"), "rooroo.cancelRun", runId),
  ];
}

function rowLenses(run: RunOverview, row: number): vscode.CodeLens[] {
  const { runId, state, outputs, canSkip } = run;
  const lenses = [];
  if (state === "here" || state === "elsewhere") {
    lenses.push(lens(row, t("Stop"), "rooroo.stopRun", runId));
  }
  if (state === "left") lenses.push(lens(row, t("Resume"), "rooroo.resumeRun", runId));
  if (state === "failed") lenses.push(lens(row, t("Try Again"), "rooroo.retryRun", runId));
  if (canSkip) lenses.push(lens(row, t("Go On Without It"), "rooroo.skipRun", runId));
  if (state === "needsYou") {
    lenses.push(lens(row, t("Open Proposal"), "rooroo.openProposal", runId));
    lenses.push(...answerLenses(run, row));
  }
  if (outputs.length > 0) {
    lenses.push(lens(row, t("Open Outputs"), "rooroo.openRunOutputs", runId));
  }
  return lenses;
}
