import type * as vscode from "vscode";
import type { RunsOverview } from "../../core/runs/runOverview.js";

/** The view model of the runs; empty until the workspace has runs and they are loaded. */
export interface RunViewModel {
  readonly overview: RunsOverview;
  readonly onDidChange: vscode.Event<RunsOverview>;
}
