import * as vscode from "vscode";
import type { JobDocument } from "../../core/jobs/documents/jobDocument.js";
import { jobDocumentKind } from "../../core/jobs/documents/jobNames.js";
import type { Fix } from "../../core/jobs/documents/logProblems.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { Clock } from "../../core/ports/system.js";
import { tasksDoneText } from "../../core/text/tasksDoneText.js";
import { t } from "../text/words.js";
import { diagnosticSource, lens, WorkDocuments } from "../work/workDocuments.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { textDifference } from "../workspace/textDifference.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";
import type { JobList } from "./jobList.js";

const pattern = "**/.jixo/*.{job,task,log}.md";

/**
 * Shows in editors of job documents: problems at their lines with quick fixes, and commands above the
 * first line and above each open question.
 */
export function jobDocuments(
  workspace: CurrentWorkspace,
  list: JobList,
  clock: Clock,
): vscode.Disposable {
  const documents = new WorkDocuments(workspace, clock, {
    name: "rooroo-jobs",
    list,
    listed: (jobs) => jobs.flatMap(({ problems }) => problems),
    typed: async (document, session) => {
      if (jobStemOf(document.uri, session.folder) === undefined) return undefined;
      return (await readDocument(document, session)).problems;
    },
    lenses: {
      pattern,
      of: async (document, session) => {
        const stem = jobStemOf(document.uri, session.folder);
        const job = list.overview.find((one) => one.stem === stem);
        if (job === undefined) return [];
        const { questions } = await readDocument(document, session);
        const open = questions.filter(({ isOpen }) => isOpen);
        const title = t("Answer…");
        return [
          ...lensesOf(job, jobDocumentKind(document.uri.path)),
          ...open.map(({ id, row }) => lens(row, title, "rooroo.answerJob", job.stem, id)),
        ];
      },
    },
  });
  const fixes = vscode.languages.registerCodeActionsProvider(
    { scheme: "file", pattern },
    { provideCodeActions: (document, _range, context) => quickFixes(document, context, workspace) },
    { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
  );
  return vscode.Disposable.from(documents, fixes);
}

/** Returns the stem of the job that a document in `.jixo` belongs to; `undefined` for other files. */
export function jobStemOf(uri: vscode.Uri, folder: vscode.Uri): string | undefined {
  const start = `${folder.path.replace(/\/$/, "")}/.jixo/`;
  if (uri.scheme !== folder.scheme || !uri.path.startsWith(start)) return undefined;
  return /^([^/]+)\.(?:job|task|log)\.md$/.exec(uri.path.slice(start.length))?.[1];
}

async function readDocument(
  document: vscode.TextDocument,
  session: WorkspaceSession,
): Promise<JobDocument> {
  const kind = jobDocumentKind(document.uri.path);
  if (kind === undefined) return { problems: [], questions: [] };
  return (await session.works.jobs()).document(kind, document.getText());
}

function lensesOf(job: JobOverview, kind: "job" | "log" | undefined): vscode.CodeLens[] {
  const { stem, state, progress, tasks, logPath } = job;
  const lenses = [
    state === "running"
      ? lens(0, t("Stop Job"), "rooroo.stopJob", stem)
      : lens(0, t("Run Job…"), "rooroo.runJob", stem),
  ];
  if (kind === "log") lenses.push(lens(0, t("Open Job File"), "rooroo.openJobFile", stem));
  else if (logPath !== null) lenses.push(lens(0, t("Open Log"), "rooroo.openJobLog", stem));
  if (tasks.total > 0) {
    lenses.push(lens(0, t("{0}%, {1}", progress, tasksDoneText(tasks.done, tasks.total, t))));
  }
  return lenses;
}

async function quickFixes(
  document: vscode.TextDocument,
  { diagnostics }: vscode.CodeActionContext,
  { session }: CurrentWorkspace,
): Promise<vscode.CodeAction[]> {
  const ours = diagnostics.filter((one) => one.source === diagnosticSource);
  if (session === undefined || ours.length === 0) return [];
  if (jobDocumentKind(document.uri.path) !== "log") return [];
  const jobs = await session.works.jobs();
  const actions = new Map<string, vscode.CodeAction>();
  for (const found of ours) {
    for (const { rule, fix, text } of jobs.fixes(document.getText(), found.range.start.line)) {
      if (rule !== found.code) continue;
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

function fixTitle(fix: Fix): string {
  switch (fix.type) {
    case "progress":
      return t("Update Progress to Match Tasks");
    case "box":
      return t("Update Checkbox to Match Status");
    case "drop":
      return t("Remove Ignored Lines");
    case "free":
      return t("Set Status to Pending");
  }
}
