import * as vscode from "vscode";
import { activityLogPath } from "../../core/activity/activityLogPath.js";
import { UserError } from "../../core/errors.js";
import type { TaskView } from "../../core/navigator/overview/overview.js";
import { queuePath } from "../../core/navigator/queue/queuePath.js";
import type { FileSystem } from "../../core/ports/files.js";
import { t } from "../text/words.js";

/** HTML files that a run has written. They are shown as pages; their source is one click away. */
const ofRun = /(^|\/)(runs\/[^/]+\/workspace|outputs)\/.*\.html?$/i;

/** Opens files of the workspace as previews, including the files that Rooroo keeps there. */
export class OpenDocuments {
  constructor(
    private readonly workspace: { readonly folder: vscode.Uri; readonly files: FileSystem },
  ) {}

  /**
   * Opens a file, shows a page that a run has written, or reveals a folder in the Explorer. Throws a
   * {@link UserError} if the path does not exist.
   *
   * @param path as the conversation names it: it came from a model, so a file outside the workspace
   *   opens only after the user has confirmed it
   * @param line 1-based
   * @param preserveFocus whether the focus stays where it is, such as in a list
   */
  async file(path: string, line?: number, preserveFocus = false): Promise<void> {
    const location = await this.workspace.files.locate(path);
    const found = await this.workspace.files.stat(location.path);
    if (found === undefined) {
      throw new UserError("documentMissing", "{path} does not exist (any more).", { path });
    }
    const uri = location.inside
      ? vscode.Uri.joinPath(this.workspace.folder, location.path)
      : vscode.Uri.file(location.path);
    if (found.kind === "folder") {
      await vscode.commands.executeCommand("revealInExplorer", uri);
      return;
    }
    if (!location.inside && !(await mayOpenOutside(location.path))) return;
    if (location.inside && ofRun.test(location.path)) {
      const { showPage } = await import("./showPage.js");
      return showPage(uri);
    }
    await show(uri, line, preserveFocus);
  }

  async queue(line?: number): Promise<void> {
    await this.ofOurs(queuePath, t("Nothing has been queued here yet."), line);
  }

  async activityLog(): Promise<void> {
    await this.ofOurs(activityLogPath, t("Nothing has happened here yet."));
  }

  /**
   * Opens the context file of a task.
   *
   * @throws {UserError} if the task has none
   */
  async context(task: TaskView, preserveFocus = false): Promise<void> {
    if (task.contextPath === undefined) {
      throw new UserError("contextMissing", "{taskId} has no context file.", {
        taskId: task.taskId,
      });
    }
    await this.file(task.contextPath, undefined, preserveFocus);
  }

  private async ofOurs(path: string, missing: string, line?: number): Promise<void> {
    if ((await this.workspace.files.stat(path)) === undefined) {
      void vscode.window.showInformationMessage(missing);
      return;
    }
    await show(vscode.Uri.joinPath(this.workspace.folder, path), line);
  }
}

async function mayOpenOutside(path: string): Promise<boolean> {
  const open = t("Open");
  const chosen = await vscode.window.showWarningMessage(
    t("Open a file outside of the workspace?"),
    { modal: true, detail: path },
    open,
  );
  return chosen === open;
}

async function show(uri: vscode.Uri, line?: number, preserveFocus = false): Promise<void> {
  const options: vscode.TextDocumentShowOptions = { preview: true, preserveFocus };
  if (line !== undefined) {
    const start = new vscode.Position(line - 1, 0);
    options.selection = new vscode.Range(start, start);
  }
  // Unlike `showTextDocument`, this also opens files that have their own editors, such as images.
  await vscode.commands.executeCommand("vscode.open", uri, options);
}
