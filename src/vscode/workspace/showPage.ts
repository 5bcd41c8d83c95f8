import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import { foreignPage } from "../../protocol/foreignPage.js";
import { readUri } from "./readUri.js";

const maxBytes = 10_000_000;
const panels = new Map<string, vscode.WebviewPanel>();

/**
 * Shows a chart's file as a page.
 *
 * @param argument the file's URI; any other argument stands for the file in the active tab
 * @throws {UserError} if that is no HTML file, or if it is too big
 */
export async function openChart(argument: unknown): Promise<void> {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const open = tab instanceof vscode.TabInputText ? tab.uri : undefined;
  const uri = argument instanceof vscode.Uri ? argument : open;
  if (uri === undefined || !/\.html?$/i.test(uri.path)) {
    throw new UserError("noChartOpen", "Open the chart's file first: it ends in .html.");
  }
  await showPage(uri);
}

/**
 * Shows an HTML file as a page beside the editor, without scripts; reloads it if it is already open.
 *
 * @param title of the tab; by default, the file's name
 * @throws {UserError} if the file is too big
 */
export async function showPage(uri: vscode.Uri, title?: string): Promise<void> {
  const bytes = await readUri(uri, maxBytes);
  if (bytes === undefined)
    throw new UserError("pageTooBig", "{path} is too big to be shown. Open it in a browser.", {
      path: uri.path,
    });
  const html = new TextDecoder().decode(bytes);
  const key = uri.toString();
  const there = panels.get(key);
  const panel = there ?? newPanel(uri, title ?? uri.path.split("/").at(-1) ?? "");
  panel.webview.html = foreignPage(html);
  if (there) there.reveal(undefined, true);
  else panels.set(key, panel);
}

/** Returns the file of the page in the active tab; `undefined` if it shows no page. */
export function pageInFront(): vscode.Uri | undefined {
  const [key] = [...panels].find(([, panel]) => panel.active) ?? [];
  return key === undefined ? undefined : vscode.Uri.parse(key);
}

function newPanel(uri: vscode.Uri, title: string): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel(
    "rooroo.page",
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: false, enableForms: false, localResourceRoots: [], enableFindWidget: true },
  );
  panel.onDidDispose(() => panels.delete(uri.toString()));
  return panel;
}
