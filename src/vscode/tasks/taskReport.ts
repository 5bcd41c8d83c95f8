import * as vscode from "vscode";
import { parseJson } from "../../core/documents/parseJson.js";
import { UserError } from "../../core/errors.js";
import { report } from "../../core/experts/report.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import type { FileSystem } from "../../core/ports/files.js";
import { foreignPage } from "../../protocol/foreignPage.js";
import { shorten } from "../text/shorten.js";
import { language, t } from "../text/words.js";
import { reportHtml } from "./reportHtml.js";

/** The one tab that shows reports; the next report replaces the last one in it. */
let panel: vscode.WebviewPanel | undefined;

/**
 * Shows a task's report as a page for people; the focus stays where it is, such as in a list.
 *
 * @throws {UserError} if the task has no report
 */
export async function showTaskReport(task: TaskView, files: FileSystem): Promise<void> {
  const { taskId, reportPath } = task;
  if (reportPath === undefined) {
    throw new UserError("reportMissing", "{taskId} has not been reported on yet.", { taskId });
  }
  const bytes = await files.readFile(reportPath);
  const json = parseJson(new TextDecoder().decode(bytes));
  const found = json.ok ? report.safeParse(json.value) : undefined;
  const text = found?.success === true ? found.data : undefined;
  if (panel === undefined) {
    const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: true };
    const options = { enableScripts: false, enableForms: false, localResourceRoots: [] };
    panel = vscode.window.createWebviewPanel("rooroo.report", "", place, {
      ...options,
      enableFindWidget: true,
    });
    panel.onDidDispose(() => (panel = undefined));
  } else panel.reveal(undefined, true);
  panel.title = t("Report: {0}", shorten(task.goal, 40) || task.taskId);
  panel.webview.html = foreignPage(reportHtml(task, text, t, language));
}
