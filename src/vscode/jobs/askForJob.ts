import * as vscode from "vscode";
import { isJobName } from "../../core/jobs/documents/jobPlace.js";
import type { NewJob } from "../../core/jobs/documents/jobFolder.js";
import type { JobOverview } from "../../core/jobs/jobOverview.js";

/** Asks for a new job's name, goal and folders; returns `undefined` if the user cancels. */
export async function askForJob(
  folder: vscode.Uri,
  jobs: readonly JobOverview[],
): Promise<NewJob | undefined> {
  const { t } = vscode.l10n;
  const taken = new Set(jobs.flatMap(({ name: one, stem }) => [one, stem]));
  const name = await vscode.window.showInputBox({
    title: t("New Job (1 of 3)"),
    prompt: t("A short name; the job's files are called so."),
    placeHolder: t("translate-docs"),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (taken.has(typed.trim())) return t("There is a job {0} already.", typed.trim());
      return typed === "" || isJobName(typed.trim())
        ? undefined
        : t("A job's name has letters, digits, spaces, dots, - and _, 80 at most.");
    },
  });
  if (name === undefined || name.trim() === "") return undefined;
  const goal = await vscode.window.showInputBox({
    title: t("New Job (2 of 3)"),
    prompt: t("What is to be reached? You can say more in the job's file, which opens next."),
    placeHolder: t("Translate docs/ into French, page by page, and check every link."),
    ignoreFocusOut: true,
  });
  if (goal === undefined || goal.trim() === "") return undefined;
  const dirs = await askFolders(folder);
  return dirs && { name: name.trim(), goal: goal.trim(), dirs };
}

async function askFolders(folder: vscode.Uri): Promise<string[] | undefined> {
  const { t } = vscode.l10n;
  const entries = await vscode.workspace.fs.readDirectory(folder);
  const names = entries
    .filter(([name, type]) => type === vscode.FileType.Directory && !name.startsWith("."))
    .map(([name]) => name)
    .filter((name) => name !== "node_modules")
    .sort();
  if (names.length === 0) return [];
  const chosen = await vscode.window.showQuickPick(
    names.map((label) => ({ label, iconPath: new vscode.ThemeIcon("folder") })),
    {
      title: t("New Job (3 of 3)"),
      placeHolder: t("Which folders is it about? None chosen: the whole workspace"),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  return chosen?.map(({ label }) => label);
}
