import type * as vscode from "vscode";

/** Which job a document of `.jixo` belongs to, by its name; `undefined` for any other. */
export function jobStemOf(uri: vscode.Uri, folder: vscode.Uri): string | undefined {
  const start = `${folder.path.replace(/\/$/, "")}/.jixo/`;
  if (uri.scheme !== folder.scheme || !uri.path.startsWith(start)) return undefined;
  return /^([^/]+)\.(?:job|task|log)\.md$/.exec(uri.path.slice(start.length))?.[1];
}
