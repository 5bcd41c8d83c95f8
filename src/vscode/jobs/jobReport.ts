import * as vscode from "vscode";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import { shellWord } from "../../core/text/shellWord.js";
import { language, t } from "../text/words.js";
import { showPage } from "../workspace/showPage.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** Writes the page of a job as it is now, and shows it beside the editor. */
export async function showJobReport(
  { name }: JobOverview,
  session: WorkspaceSession,
): Promise<void> {
  const jobs = await session.works.jobs();
  const isWindows = /\.exe$/i.test(vscode.env.shell);
  const path = await jobs.writePage(name, {
    zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    commandOf: (words) => ["rooroo", ...words.map((word) => shellWord(word, isWindows))].join(" "),
    language,
    t,
  });
  const title = t("Report: {0}", name);
  await showPage(vscode.Uri.joinPath(session.folder, path), title);
}
