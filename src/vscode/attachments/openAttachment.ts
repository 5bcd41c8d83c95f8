import * as vscode from "vscode";
import type { Attachment } from "../../core/conversation/input/attachment.js";
import { taskIdPattern } from "../../core/documents/queue.js";
import { taskFolder } from "../../core/navigator/tasks/taskStore.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import type { AttachmentWorkspace } from "./attachedPlaces.js";

/** Shows what is attached: in an editor, or in the view that has it. */
export async function openAttachment(
  attachment: Attachment,
  workspace: AttachmentWorkspace,
): Promise<void> {
  const documents = new OpenDocuments(workspace);
  switch (attachment.kind) {
    case "file":
    case "symbol":
    case "selection":
      return documents.file(attachment.path, attachment.from);
    case "folder":
    case "image":
      return documents.file(attachment.path);
    case "problems":
      if (attachment.path !== undefined) return documents.file(attachment.path, attachment.line);
      return vscode.commands.executeCommand("workbench.actions.view.problems");
    case "gitChanges":
      return vscode.commands.executeCommand("workbench.view.scm");
    case "url":
      await vscode.env.openExternal(vscode.Uri.parse(attachment.url, true));
      return;
    case "task":
      if (!taskIdPattern.test(attachment.taskId)) return;
      return documents.file(`${taskFolder(attachment.taskId)}/context.md`);
    case "terminal":
    case "input":
    case "commit":
    case "resource":
    case "prompt":
      return;
  }
}
