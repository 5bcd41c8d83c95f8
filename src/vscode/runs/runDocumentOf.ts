import type * as vscode from "vscode";
import type { RunLayout } from "../../core/runs/runLayout.js";
import { runTables, type TableName } from "../../core/runs/runTables.js";

/** The role of a document in the runs. */
export type RunDocument =
  | { readonly kind: "table"; readonly table: TableName; readonly runId: string | undefined }
  | { readonly kind: "proposal" | "file"; readonly runId: string };

/** Returns the role of a document in the runs; `undefined` for a file that does not belong to any run. */
export function runDocumentOf(
  uri: vscode.Uri,
  folder: vscode.Uri,
  { root }: RunLayout,
): RunDocument | undefined {
  const start = `${folder.path.replace(/\/$/, "")}/${root === "" ? "" : `${root}/`}`;
  if (uri.scheme !== folder.scheme || !uri.path.startsWith(start)) return undefined;
  const path = uri.path.slice(start.length);
  const [, own, name = ""] = /^(?:runs\/([^/]+)\/)?db\/(\w+)\.md$/.exec(path) ?? [];
  const isTable = (one: string): one is TableName => Object.hasOwn(runTables, one);
  if (isTable(name)) return { kind: "table", table: name, runId: own };
  const [, runId, rest] = /^(?:runs|outputs)\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (runId === undefined) return undefined;
  return { kind: rest === "feedback_for_user.md" ? "proposal" : "file", runId };
}
