import type * as vscode from "vscode";

/** Returns the stem of the job that a document in `.jixo` belongs to; `undefined` for other files. */
export function jobStemOf(uri: vscode.Uri, folder: vscode.Uri): string | undefined {
  const start = `${folder.path.replace(/\/$/, "")}/.jixo/`;
  if (uri.scheme !== folder.scheme || !uri.path.startsWith(start)) return undefined;
  return /^([^/]+)\.(?:job|task|log)\.md$/.exec(uri.path.slice(start.length))?.[1];
}
