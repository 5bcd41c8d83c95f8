import type * as vscode from "vscode";
import type { RunsOverview } from "../core/runs/runOverview.js";

/** What is known of runs, once they are looked at. */
export interface RunBoard {
  readonly overview: RunsOverview;
  readonly onDidChange: vscode.Event<RunsOverview>;
}
