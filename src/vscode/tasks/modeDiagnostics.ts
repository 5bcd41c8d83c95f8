import * as vscode from "vscode";
import type { Overview } from "../../core/navigator/overview/overview.js";
import type { Clock } from "../../core/ports/system.js";
import { WorkDocuments } from "../work/workDocuments.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import type { TaskList } from "./taskList.js";

/** Shows the problems of the workspace's mode file at their lines, for as long as they exist. */
export function modeDiagnostics(
  workspace: CurrentWorkspace,
  tasks: TaskList,
  clock: Clock,
): WorkDocuments<Overview> {
  return new WorkDocuments(workspace, clock, {
    name: "rooroo",
    list: tasks,
    listed: ({ modeProblems }) => modeProblems,
    severity: vscode.DiagnosticSeverity.Error,
  });
}
