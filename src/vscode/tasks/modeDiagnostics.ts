import * as vscode from "vscode";
import type { ModeProblem } from "../../core/experts/modeFile.js";
import type { TaskList } from "./taskList.js";

/** Shows the problems of the workspace's mode file at their lines, for as long as they exist. */
export class ModeDiagnostics implements vscode.Disposable {
  private readonly collection = vscode.languages.createDiagnosticCollection("rooroo");
  private readonly subscription: vscode.Disposable;

  /** @param folder returns the folder whose tasks are listed */
  constructor(
    tasks: TaskList,
    private readonly folder: () => vscode.Uri | undefined,
  ) {
    this.subscription = tasks.onDidChange(({ modeProblems }) => {
      this.show(modeProblems);
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.collection.dispose();
  }

  private show(problems: readonly ModeProblem[]): void {
    this.collection.clear();
    const folder = this.folder();
    if (folder === undefined) return;
    const byPath = new Map<string, vscode.Diagnostic[]>();
    for (const problem of problems) {
      byPath.set(problem.path, [...(byPath.get(problem.path) ?? []), diagnostic(problem)]);
    }
    for (const [path, found] of byPath) {
      this.collection.set(vscode.Uri.joinPath(folder, path), found);
    }
  }
}

function diagnostic({ line, column, message }: ModeProblem): vscode.Diagnostic {
  const rest = new vscode.Range(line - 1, column - 1, line - 1, Number.MAX_SAFE_INTEGER);
  const found = new vscode.Diagnostic(rest, message, vscode.DiagnosticSeverity.Error);
  found.source = "Rooroo";
  return found;
}
