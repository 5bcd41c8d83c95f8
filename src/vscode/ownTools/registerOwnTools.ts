import * as vscode from "vscode";
import { lazyObject } from "../../core/lazyObject.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { addTaskTool, statusTool } from "../workspace/ownToolNames.js";

type Tool = Required<vscode.LanguageModelTool<unknown>>;

/**
 * Offers Rooroo's queue to other language models in VS Code: to add a task, and to see how tasks stand. What does
 * it is loaded at the first call.
 */
export function registerOwnTools(workspace: CurrentWorkspace): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.lm.registerTool(
      addTaskTool,
      lazyObject<Tool>(async () => new (await import("./ownTools.js")).AddTask(workspace)),
    ),
    vscode.lm.registerTool(
      statusTool,
      lazyObject<Tool>(async () => new (await import("./ownTools.js")).Status(workspace)),
    ),
  );
}
